/// A mistake in the arguments or in the graph, described in one line.
struct InputError: Error, Equatable, CustomStringConvertible {
  private let message: String
  /// Counted from 1; nil if the mistake is not in a single line.
  private let line: Int?
  private let file: String?

  init(_ message: String, line: Int? = nil) {
    self.init(message: message, line: line, file: nil)
  }

  private init(message: String, line: Int?, file: String?) {
    self.message = message
    self.line = line
    self.file = file
  }

  /// The same error with the name of the file.
  func inFile(_ name: String) -> InputError {
    InputError(message: message, line: line, file: name)
  }

  var description: String {
    [file, line.map { "line \($0)" }, message].compactMap(\.self).joined(separator: ": ")
  }
}
