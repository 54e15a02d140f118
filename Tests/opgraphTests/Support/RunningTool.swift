import Foundation
import Synchronization

/// The tool while it runs: it can be sent signals, and what it says on standard error be waited for.
final class RunningTool: Sendable {
  private let process: Process
  private let id: pid_t
  private let files: TemporaryFolder
  /// Read by the line, so that a test can wait for one.
  private let errors: Pipe
  private let seen = Mutex("")
  private let ended = DispatchSemaphore(value: 0)

  /// Starts the process; what it says goes into a file, unless an output is set already.
  init(_ process: Process, files: TemporaryFolder) throws {
    self.files = files
    errors = Pipe()
    if process.standardOutput == nil {
      _ = FileManager.default.createFile(atPath: files.path("output"), contents: nil)
      process.standardOutput = FileHandle(forWritingAtPath: files.path("output"))
    }
    process.standardError = errors
    let ended = ended
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    id = process.processIdentifier
    self.process = process
  }

  func send(_ signal: Int32) {
    kill(id, signal)
  }

  /// The next line on standard error.
  func nextError() async throws -> String {
    let line = try await nextLine(from: errors.fileHandleForReading.fileDescriptor)
    seen.withLock { $0 += line + "\n" }
    return line
  }

  /// Waits for the end, which it forces when that does not come for a long time.
  func outcome() async -> Tool.Outcome {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let isInTime = self.ended.wait(timeout: .now() + 30) == .success
        // Not waited for: on Linux, Foundation sees no end while a command that was left behind lives.
        if !isInTime { self.send(SIGKILL) }
        let rest = self.errors.fileHandleForReading.readDataToEndOfFile()
        let isExit = isInTime && self.process.terminationReason == .exit
        continuation.resume(
          returning: Tool.Outcome(
            status: isExit ? self.process.terminationStatus : nil,
            output: FileManager.default.contents(atPath: self.files.path("output")) ?? Data(),
            errors: self.seen.withLock(\.self) + String(decoding: rest, as: UTF8.self)))
      }
    }
  }
}
