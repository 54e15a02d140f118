package import StructuredOperations

/// An operation that executes until the test releases it.
package struct Blocker: Sendable {
  package let operation: AsyncOperation<Void>
  /// Opened by the body when it begins.
  package let begun: Gate
  /// Opened by the test: the body returns.
  package let release: Gate

  package init(name: String? = nil, queuePriority: QueuePriority = .normal) {
    let (begun, release) = (Gate(), Gate())
    operation = AsyncOperation(name: name, queuePriority: queuePriority) {
      begun.open()
      await release.wait()
    }
    self.begun = begun
    self.release = release
  }
}
