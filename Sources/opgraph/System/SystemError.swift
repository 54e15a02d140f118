/// The `errno` of a failed system call.
struct SystemError: Error, Equatable, CustomStringConvertible {
  let code: Int32
  /// What could not be done; nil where the caller says so.
  let failure: String?

  init(code: Int32 = errno, _ failure: String? = nil) {
    self.code = code
    self.failure = failure
  }

  var description: String { [failure, String(cString: strerror(code))].compactMap(\.self).joined(separator: ": ") }
}
