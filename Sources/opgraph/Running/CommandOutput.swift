import Synchronization

/// Standard output and standard error of a command, in the order in which they were written.
///
/// At most one block of it is in memory, and all before that in the spool: outputs are printed one after the other, so
/// an output may have to wait as a whole.
final class CommandOutput: Sendable {
  /// What could not be stored.
  struct Loss: Equatable {
    var byteCount: Int
    let error: SystemError
  }

  private struct State {
    /// The blocks in the spool.
    var blocks: [Int] = []
    /// What comes after them; a full block only if that could not be stored.
    var tail: [UInt8] = []
    /// What comes after that.
    var loss: Loss?
  }

  private let spool: OutputSpool
  private let state = Mutex(State())

  init(spool: OutputSpool) {
    self.spool = spool
  }

  deinit {
    state.withLock { spool.free($0.blocks) }
  }

  /// Nil if everything has been stored.
  var loss: Loss? { state.withLock(\.loss) }

  var isEmpty: Bool { state.withLock { $0.blocks.isEmpty && $0.tail.isEmpty } }

  func append(_ bytes: ArraySlice<UInt8>) {
    state.withLock { state in
      var rest = bytes
      while state.loss == nil && !rest.isEmpty {
        let piece = rest.prefix(OutputSpool.blockSize - state.tail.count)
        rest = rest.dropFirst(piece.count)
        state.tail += piece
        guard state.tail.count == OutputSpool.blockSize else { continue }
        do {
          state.blocks.append(try spool.store(state.tail))
          state.tail.removeAll(keepingCapacity: true)
        } catch {
          state.loss = Loss(byteCount: 0, error: error as? SystemError ?? SystemError())
        }
      }
      state.loss?.byteCount += rest.count
    }
  }

  /// Calls `body` with the output, piece by piece; throws what `body` throws, or ``SystemError``.
  func forEachPiece(_ body: ([UInt8]) throws -> Void) throws {
    let (blocks, tail) = state.withLock { ($0.blocks, $0.tail) }
    var block = [UInt8](repeating: 0, count: OutputSpool.blockSize)
    for number in blocks {
      try spool.read(number, into: &block)
      try body(block)
    }
    try body(tail)
  }
}
