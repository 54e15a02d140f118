import Foundation

/// One side of a scenario, run in a process of its own, since it may crash or hang.
struct ChildProcess: Sendable {
  let number: Int
  let side: Side

  /// A process that has not ended by then counts as hanging.
  ///
  /// Scenarios wait in vain for some seconds themselves, so this is longer.
  private static let deadline: TimeInterval = 20
  private static let mark = "outcome: "

  // MARK: In the child

  /// Runs one side of a scenario, prints its outcome and ends the process.
  static func run(_ scenario: Scenario, _ side: Side) {
    switch side {
    case .foundation: Thread { end(scenario.foundation()) }.start()
    case .ours:
      Task.detached {
        do {
          end(try await scenario.ours())
        } catch {
          end("throws \(error)")
        }
      }
    }
    // The main queues need a run loop.
    RunLoop.main.run()
  }

  private static func end(_ outcome: String) {
    FileHandle.standardOutput.write(Data("\(mark)\(outcome)\n".utf8))
    // Skips the exit handlers: other threads may still run.
    _exit(0)
  }

  // MARK: In the parent

  /// The outcome in words.
  func outcome() async -> String {
    let (process, ended) = (Process(), Signal())
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = ["--run", side.rawValue, "\(number)"]
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardOutput = output
    process.standardError = errors
    process.terminationHandler = { _ in ended.open() }
    do {
      try process.run()
    } catch {
      return "cannot be run: \(error)"
    }
    if await !ended.comes(within: Self.deadline) {
      kill(process.processIdentifier, SIGKILL)
      await ended.comes()
      return "hangs"
    }
    let said = text(of: output)
    if process.terminationReason == .exit, process.terminationStatus == 0, let outcome = said.last(after: Self.mark) {
      return outcome
    }
    return "ends the program" + (reason(in: text(of: errors)).map { ": \($0)" } ?? "")
  }

  private func text(of pipe: Pipe) -> String {
    String(bytes: pipe.fileHandleForReading.readDataToEndOfFile(), encoding: .utf8) ?? ""
  }

  /// The message of a fatal error, without the description of an object at its beginning.
  private func reason(in errors: String) -> String? {
    guard let message = errors.last(after: "Fatal error: ") else { return nil }
    guard message.hasPrefix("<"), let end = message.range(of: ">: ") else { return message }
    return String(message[end.upperBound...])
  }
}

extension String {
  /// The text behind a mark in the last line that contains it.
  fileprivate func last(after mark: String) -> String? {
    guard let line = split(separator: "\n").last(where: { $0.contains(mark) }), let range = line.range(of: mark) else {
      return nil
    }
    return String(line[range.upperBound...])
  }
}
