import Foundation
import Testing

/// The built command-line tool, run as a user runs it.
struct Tool {
  /// The status and output of a run.
  struct Outcome {
    /// Nil if a signal ended the tool.
    let status: Int32?
    /// The signal that ended the tool; nil if it exited.
    let signal: Int32?
    let output: Data
    let errors: String

    /// The lines of the output, with times replaced, since they vary.
    var lines: [String] {
      String(decoding: output, as: UTF8.self).split(separator: "\n")
        .map { String($0).replacing(#/ *[0-9]+\.[0-9]{3} s/#, with: " TIME") }
    }
  }

  /// The tool's working directory.
  let folder: TemporaryFolder

  /// The tool lies beside the test bundle, wherever the build put that.
  static let executable: URL? = {
    let places = CommandLine.arguments + [Bundle.main.bundlePath] + Bundle.allBundles.map(\.bundlePath)
    for place in places where place.contains("/") {
      var directory = URL(fileURLWithPath: place).deletingLastPathComponent()
      while directory.path != "/" {
        let candidate = directory.appendingPathComponent("opgraph")
        let isFile = try? candidate.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile
        if isFile == true, FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
        directory.deleteLastPathComponent()
      }
    }
    return nil
  }()

  /// Runs the tool to its end.
  func run(_ arguments: String..., input: String? = nil, environment: [String: String] = [:]) async throws -> Outcome {
    let running = try start(arguments, input: input, environment: environment)
    return await running.outcome()
  }

  /// - Parameter starter: A program, and its arguments, that executes the command line which follows them.
  func start(
    _ arguments: [String], input: String? = nil, inputPipe: Pipe? = nil, output: FileHandle? = nil,
    environment: [String: String] = [:], through starter: [String] = []
  ) throws -> RunningTool {
    let executable = try #require(Self.executable, "opgraph is not built beside the tests")
    let command = starter + [executable.path] + arguments
    // A separate folder: the files in `folder` may be the tool's input.
    let files = try TemporaryFolder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    if let input {
      process.standardInput = FileHandle(forReadingAtPath: try files.write(input, to: "input"))
    } else if let inputPipe {
      process.standardInput = inputPipe.fileHandleForReading
    } else {
      process.standardInput = FileHandle.nullDevice
    }
    process.standardOutput = output
    return try RunningTool(process, files: files)
  }
}
