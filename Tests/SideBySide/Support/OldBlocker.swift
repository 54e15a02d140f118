import Foundation

/// A Foundation operation that executes until it is released.
struct OldBlocker: Sendable {
  let operation: BlockOperation
  let begun = Signal()
  let release = Signal()

  init(_ end: @escaping @Sendable () -> Void = {}) {
    operation = BlockOperation { [begun, release] in
      begun.open()
      release.comesBlocking(within: .infinity)
      end()
    }
  }
}
