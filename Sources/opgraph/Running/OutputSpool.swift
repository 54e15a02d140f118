import Synchronization

/// A temporary file for the outputs of all commands, in blocks of one size, which are used again.
///
/// One file, so that commands need no further descriptors, and without a name, so that it goes with the process. Where none
/// can be made, the blocks are kept in memory.
final class OutputSpool: Sendable {
  /// In bytes: what each command may keep in memory.
  static let blockSize = 1 << 14

  private struct State {
    var freeBlocks: [Int] = []
    var blockCount = 0
    /// By their numbers, where there is no file.
    var kept: [Int: [UInt8]] = [:]
  }

  /// Nil if it could not be made.
  private let file: Descriptor?
  private let state = Mutex(State())

  /// To be made before any command is started, which would inherit the file.
  ///
  /// - Parameter makeFile: A parameter so that tests can make it fail.
  init(makeFile: () throws -> Descriptor = Descriptor.unnamedTemporaryFile) {
    file = try? makeFile()
  }

  deinit {
    file?.close()
  }

  /// Stores a full block, and returns its number; throws ``SystemError``.
  func store(_ block: [UInt8]) throws -> Int {
    precondition(block.count == Self.blockSize, "a block of \(block.count) bytes")
    let number = state.withLock { state in
      let number = state.freeBlocks.popLast() ?? state.blockCount
      state.blockCount = max(state.blockCount, number + 1)
      if file == nil { state.kept[number] = block }
      return number
    }
    do {
      try file?.write(block, at: number * Self.blockSize)
    } catch {
      free([number])
      throw error
    }
    return number
  }

  /// Reads a block that has been stored; throws ``SystemError``.
  func read(_ number: Int, into block: inout [UInt8]) throws {
    precondition(block.count == Self.blockSize, "a block of \(block.count) bytes")
    if let file { return try file.read(into: &block, at: number * Self.blockSize) }
    guard let kept = state.withLock({ $0.kept[number] }) else { preconditionFailure("there is no block \(number)") }
    block = kept
  }

  /// Frees blocks, and the space on the disk when none is left.
  func free(_ blocks: [Int]) {
    // Most outputs have none, and a call of the system for each command would cost more than all else here.
    guard !blocks.isEmpty else { return }
    state.withLock { state in
      state.freeBlocks += blocks
      for number in blocks { state.kept[number] = nil }
      guard state.freeBlocks.count == state.blockCount else { return }
      state = State()
      // If this fails, the space is used again by further blocks.
      _ = file?.truncate()
    }
  }
}
