import Foundation

/// The output of the program.
enum Output {
  /// Prints a line without buffering, also into a pipe.
  static func show(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  /// Prints a line to standard error.
  static func complain(_ line: String) {
    FileHandle.standardError.write(Data("\(line)\n".utf8))
  }
}
