import Foundation
import TestSupport
import Synchronization

/// A running process of the tool: a test can send it signals and wait for lines on its standard error.
final class RunningTool: Sendable {
  private let process: Process
  private let id: pid_t
  private let files: TemporaryFolder
  /// Standard error, read line by line, so that a test can wait for a line.
  private let errors: Pipe
  private let seen = Mutex("")
  private let ended = DispatchSemaphore(value: 0)

  /// Starts the process; standard output goes to a file, unless it is set already.
  init(_ process: Process, files: TemporaryFolder) throws {
    self.files = files
    errors = Pipe()
    var output: FileHandle?
    if process.standardOutput == nil {
      _ = FileManager.default.createFile(atPath: files.path("output"), contents: nil)
      output = FileHandle(forWritingAtPath: files.path("output"))
      process.standardOutput = output
    }
    process.standardError = errors
    let ended = ended
    process.terminationHandler = { _ in ended.signal() }
    // Foundation on Linux keeps what a process was given, open, for ever, and crashes with more than a thousand of them.
    defer { try? output?.close() }
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

  /// Waits for the process to exit, and kills it 5 seconds before the hang guard would end all tests.
  func outcome() async -> Tool.Outcome {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let isInTime = self.ended.wait(timeout: .now() + .seconds(HangGuard.seconds - 5)) == .success
        // Does not wait after the kill: Foundation on Linux reports no exit while a command that the tool started still
        // runs.
        if !isInTime { self.send(SIGKILL) }
        let rest = self.errors.fileHandleForReading.readDataToEndOfFile()
        try? self.errors.fileHandleForReading.close()
        let isExit = isInTime && self.process.terminationReason == .exit
        let isSignal = isInTime && self.process.terminationReason == .uncaughtSignal
        continuation.resume(
          returning: Tool.Outcome(
            status: isExit ? self.process.terminationStatus : nil,
            signal: isSignal ? self.process.terminationStatus : nil,
            output: FileManager.default.contents(atPath: self.files.path("output")) ?? Data(),
            errors: self.seen.withLock(\.self) + String(decoding: rest, as: UTF8.self)))
      }
    }
  }
}
