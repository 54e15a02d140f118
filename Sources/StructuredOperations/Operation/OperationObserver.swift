/// Is told of all that happens to operations: those of a queue, those of a scope, or a single one.
///
/// ```swift
/// struct Log: OperationObserver {
///   func observe(_ event: OperationEvent) {
///     print(event.kind, event.operation)
///   }
/// }
/// let queue = AsyncOperationQueue(observer: Log())
/// ```
///
/// A queue tells its observer of its operations, of barriers and closures of `run` too. An operation that has an observer of
/// its own tells that first. A queue keeps its observer; an operation lets go of both once they have been told that it has
/// finished. An operation without an observer makes no event and allocates nothing for one.
public protocol OperationObserver: Sendable {
  /// Something has happened to an operation.
  ///
  /// Called synchronously, by the thread on which it has happened, outside of all locks: the operation and its queue may be
  /// asked and changed, also cancelled, but not by `assumeIsolated`, since that thread may be in the queue's actor. Events of
  /// one operation come one at a time and in their order. One that happens while an earlier one of the same operation is
  /// observed comes next, on the thread that observes the earlier one. Events of different operations come at the same time.
  ///
  /// The body begins after ``OperationEvent/Kind/started`` has been observed. An end has been observed before the slot is
  /// given to another operation, before those are ready that depended on it, and before any wait for the operation returns;
  /// ``OperationProtocol/isFinished`` may tell it earlier. So an observer that takes its time holds up its queue. It must wait
  /// for no other thread, the main one included: that may wait for the end of this call. Jobs that it has run on its own thread,
  /// by an executor that does so, do not wait for what is observed meanwhile.
  ///
  /// An operation that nobody runs is never told to finish, also where it was cancelled.
  ///
  /// - Parameter event: What has happened.
  func observe(_ event: OperationEvent)
}
