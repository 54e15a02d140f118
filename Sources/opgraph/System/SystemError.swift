import Foundation

/// The `errno` of a failed system call.
struct SystemError: Error, Equatable, CustomStringConvertible {
  let code: Int32

  init(code: Int32 = errno) {
    self.code = code
  }

  var description: String { String(cString: strerror(code)) }
}
