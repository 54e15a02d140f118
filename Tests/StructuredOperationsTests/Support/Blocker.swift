import StructuredOperations

/// An operation that executes as long as a test wants it to.
struct Blocker: Sendable {
  let operation: AsyncOperation<Void>
  /// Opens when the body begins.
  let begun: Gate
  /// Ends the body when it opens.
  let release: Gate

  init(name: String? = nil, queuePriority: QueuePriority = .normal) {
    let (begun, release) = (Gate(), Gate())
    operation = AsyncOperation(name: name, queuePriority: queuePriority) {
      begun.open()
      await release.wait()
    }
    self.begun = begun
    self.release = release
  }
}
