/// Is told of all that happens to operations: those of a queue, those of a scope, or a single one.
///
/// ```swift
/// struct Log: OperationObserver {
///   func observe(_ event: OperationEvent) { print(event.kind, event.operation) }
/// }
/// let queue = AsyncOperationQueue(observer: Log())
/// ```
///
/// A queue tells its observer of its operations, of barriers and closures of `run` too. An operation that has an observer of
/// its own tells that first. A queue keeps its observer; an operation lets go of both once they have been told that it has
/// finished. What no observer is given to costs nothing.
public protocol OperationObserver: Sendable {
  /// Something has happened to an operation.
  ///
  /// Called synchronously, by the thread on which it has happened, outside of all locks: the operation and its queue may be
  /// asked and changed, also cancelled. Events of one operation come one at a time and in their order. One that happens
  /// while an earlier one of the same operation is observed comes next, on the thread that observes the earlier one. Events
  /// of different operations come at the same time.
  ///
  /// The body begins after ``OperationEvent/Kind/started`` has been observed. An end has been observed before the slot is
  /// given to another operation, before dependents are ready, and before any wait for the operation returns. So an observer
  /// that takes its time holds up its queue; one that waits for the operation blocks it for good.
  func observe(_ event: OperationEvent)
}
