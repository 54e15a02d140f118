import Foundation

/// An open file descriptor, with calls that go on where the system stopped half-way.
///
/// `FileHandle` is not used: on failure it traps or throws errors whose texts differ from platform to platform.
struct Descriptor: Sendable {
  static let standardInput = Descriptor(number: STDIN_FILENO)
  static let standardOutput = Descriptor(number: STDOUT_FILENO)
  static let standardError = Descriptor(number: STDERR_FILENO)

  let number: Int32

  private init(number: Int32) {
    self.number = number
  }

  /// Opens a file for reading.
  init(reading path: String) throws {
    number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw SystemError() }
  }

  /// Makes a pipe that programs started later do not inherit.
  ///
  /// Closing on exec is set in a second step, because Swift sees no `pipe2`: whoever starts programs keeps others
  /// from being started in between.
  static func pipe() throws -> (reading: Descriptor, writing: Descriptor) {
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else { throw SystemError() }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (Descriptor(number: ends[0]), Descriptor(number: ends[1]))
  }

  /// Reads until the end; blocks the thread until then.
  func readToEnd() throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(number, &buffer, buffer.count)
      if count > 0 {
        bytes += buffer[..<count]
      } else if count == 0 {
        return bytes
      } else if errno != EINTR {
        throw SystemError()
      }
    }
  }

  /// Writes all of it; blocks the thread until then.
  func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Foundation.write(number, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno != EINTR {
          throw SystemError()
        }
      }
    }
  }

  func close() {
    _ = Foundation.close(number)
  }

  /// Writes one line of the tool's own on standard error; if even that fails there is nobody left to tell.
  static func complain(_ message: String) {
    try? standardError.write(Array("opgraph: \(message)\n".utf8))
  }
}
