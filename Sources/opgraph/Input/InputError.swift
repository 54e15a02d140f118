/// What is wrong with the arguments or with the graph: one line for a reader who can mend it.
struct InputError: Error, Equatable, CustomStringConvertible {
  private let message: String
  /// Counted from 1; nil where the mistake is no single line's.
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

  /// The same mistake, told with the name of the file that holds it.
  func inFile(_ name: String) -> InputError {
    InputError(message: message, line: line, file: name)
  }

  var description: String {
    [file, line.map { "line \($0)" }, message].compactMap(\.self).joined(separator: ": ")
  }
}
