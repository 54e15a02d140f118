import Foundation

/// What the program says.
enum Output {
  /// Prints a line at once, also into a pipe.
  static func show(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  /// Prints what went wrong.
  static func complain(_ line: String) {
    FileHandle.standardError.write(Data("\(line)\n".utf8))
  }
}
