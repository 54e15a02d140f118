/// A mistake in the arguments or in the graph that stands at no single place, described in one line.
struct InputError: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ message: String) {
    description = message
  }

  /// The same error with the name of the file.
  func inFile(_ name: String) -> InputError {
    InputError("\(name): \(description)")
  }
}
