/// Strings as the system takes the arguments and the environment of a program: ended by NUL, their list by nil.
final class CStrings {
  private let list: UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>

  init(_ strings: [String]) {
    list = .allocate(capacity: strings.count + 1)
    _ = list.initialize(from: strings.map { strdup($0) } + [nil])
  }

  deinit {
    for string in list { free(string) }
    list.deallocate()
  }

  /// Calls `body` with the list, which is valid until it returns.
  func withPointers<Result>(
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) throws -> Result
  ) rethrows -> Result {
    guard let first = list.baseAddress else { preconditionFailure("a list has at least its end") }
    return try withExtendedLifetime(self) { try body(first) }
  }
}
