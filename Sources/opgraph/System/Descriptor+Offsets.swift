/// Transfers from and to given offsets of a file.
extension Descriptor {
  /// Fills the buffer.
  func read(into buffer: inout [UInt8], at offset: Int) throws {
    try buffer.withUnsafeMutableBytes { bytes in
      try transferAll(bytes.count) { done in
        pread(number, bytes.baseAddress?.advanced(by: done), bytes.count - done, off_t(offset + done))
      }
    }
  }

  /// Reads what a file begins with, which may be shorter, and may be emptied meanwhile.
  func readStart(limit: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    while true {
      let count = pread(number, &bytes, limit, 0)
      if count >= 0 { return Array(bytes[..<count]) }
      guard errno == EINTR else { throw SystemError() }
    }
  }

  /// Writes all bytes.
  func write(_ bytes: [UInt8], at offset: Int) throws {
    try bytes.withUnsafeBytes { bytes in
      try transferAll(bytes.count) { done in
        pwrite(number, bytes.baseAddress?.advanced(by: done), bytes.count - done, off_t(offset + done))
      }
    }
  }

  /// Cuts a file to no bytes, and returns whether that was possible.
  func truncate() -> Bool {
    ftruncate(number, 0) == 0
  }

  private func transferAll(_ total: Int, _ transfer: (_ done: Int) -> Int) throws {
    var done = 0
    while done < total {
      let count = transfer(done)
      if count > 0 {
        done += count
      } else if count == 0 {
        throw SystemError(code: EIO)
      } else if errno != EINTR {
        throw SystemError()
      }
    }
  }
}
