/// A child task that counts as a body's own task while the body waits for it, as the one that runs a closure in a time-out.
///
/// Example of why it has to end: an unstructured task that the closure starts inherits the context. The child task ends
/// and is freed, and a task that the unstructured one starts is allocated in its place: the handles are equal, and the operation is
/// still executing. But the body is elsewhere by then.
final class StandIn: Sendable {
  private let hasEnded = Guarded(false)

  var isOver: Bool { hasEnded.withLock { $0 } }

  func end() { hasEnded.withLock { $0 = true } }
}
