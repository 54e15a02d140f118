/// A lock that processes hold on a file; the system releases it when the process ends, however it does.
///
/// Not inherited by commands: a copy of the descriptor in one that outlives the tool would hold it on.
struct FileLock: Sendable {
  private let file: Descriptor
  /// The same for every name of the file, and different from all others.
  let identity: String

  /// Makes the file if it is not there, and does not lock it; throws ``SystemError``.
  init(path: String) throws {
    file = try Descriptor(appendingTo: path)
    var status = stat()
    guard fstat(file.number, &status) == 0 else { throw SystemError() }
    identity = "\(status.st_dev):\(status.st_ino)"
  }

  /// Takes the lock if nobody has it, and returns whether that is so; throws ``SystemError``.
  func tryLock() throws -> Bool {
    try lock(LOCK_EX | LOCK_NB)
  }

  /// Takes the lock once nobody has it; blocks the calling thread; throws ``SystemError``.
  func lock() throws {
    _ = try lock(LOCK_EX)
  }

  private func lock(_ operation: Int32) throws -> Bool {
    while flock(file.number, operation) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw SystemError() }
    }
    return true
  }

  func close() {
    file.close()
  }
}
