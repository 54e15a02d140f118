import StructuredOperations

/// An operation of this package that executes until it is released.
struct Blocker: Sendable {
  let operation: AsyncOperation<Void>
  let begun = Signal()
  let release = Signal()

  init(_ end: @escaping @Sendable () -> Void = {}) {
    operation = AsyncOperation { [begun, release] in
      begun.open()
      await release.comes(within: .infinity)
      end()
    }
  }
}
