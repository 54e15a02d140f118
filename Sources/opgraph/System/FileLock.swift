/// A lock that processes hold on a file; the system releases it when the process ends, however it does.
///
/// Not inherited by commands: a copy of the descriptor in one that outlives the tool would hold it on.
///
/// Whoever takes it writes a random word into the file, by which it is told from all who have had it before.
struct FileLock: Sendable {
  private let file: Descriptor
  /// The same for every name of the file, and different from all others.
  private let fileIdentity: String

  /// Makes the file if it is not there, and does not lock it; throws ``SystemError``.
  init(path: String) throws {
    file = try Descriptor(updating: path)
    var status = stat()
    guard fstat(file.number, &status) == 0 else { throw SystemError() }
    fileIdentity = "\(status.st_dev):\(status.st_ino)"
  }

  /// Names the file and who has locked it, or has had it locked last; throws ``SystemError``.
  ///
  /// Who has just locked it may not have written its word yet: for microseconds it is taken for the one before.
  var identity: String {
    get throws { "\(fileIdentity):\(String(decoding: try file.readStart(limit: Self.wordLength), as: UTF8.self))" }
  }

  /// Takes the lock if nobody has it, and returns whether that is so; throws ``SystemError``.
  func tryLock() throws -> Bool {
    guard try lock(LOCK_EX | LOCK_NB) else { return false }
    writeWord()
    return true
  }

  /// Takes the lock once nobody has it; blocks the calling thread; throws ``SystemError``.
  func lock() throws {
    _ = try lock(LOCK_EX)
    writeWord()
  }

  /// Where the disk is full it may be the word of the one before, which does not matter much: the lock is held.
  private func writeWord() {
    let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
    let word = String(repeating: "0", count: Self.wordLength - digits.count) + digits
    // In place, so that nobody finds a part of it, and no new block is needed.
    try? file.write(Array(word.utf8), at: 0)
  }

  private static let wordLength = 16

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
