/// The counts and settings of a queue at one moment.
///
/// Operations count, and the closures of ``AsyncOperationQueue/run(name:queuePriority:limits:file:line:_:)``; barriers do not.
public struct QueueSnapshot: Hashable, Sendable {
  /// The number of unfinished operations in the queue, executing ones included.
  public internal(set) var operationCount = 0

  /// The number of operations that had been chosen to execute.
  ///
  /// Above ``maxConcurrentOperationCount`` if that was lowered, or while bodies that wait have released their slots:
  /// those are part of it, and ``waitingCount`` tells how many they are.
  public internal(set) var executingCount = 0

  /// The number of executing operations whose bodies had released their slots, because they waited for something.
  ///
  /// Operations that wait in the queue are none of them: they are ``operationCount`` less ``executingCount``.
  public internal(set) var waitingCount = 0

  /// Whether the queue was suspended.
  public internal(set) var isSuspended = false

  /// The maximum number of operations that may execute at the same time; -1 stands for the default.
  public internal(set) var maxConcurrentOperationCount: Int

  /// The number of operations that had succeeded.
  ///
  /// A value that was produced although the operation had been cancelled is a success.
  public internal(set) var succeededCount = 0

  /// The number of operations that had failed, those included that did not run because a dependency had failed.
  public internal(set) var failedCount = 0

  /// The number of operations that were cancelled, and whose bodies had not run or had thrown `CancellationError`.
  public internal(set) var cancelledCount = 0

  /// The number of operations that had finished since the queue was created: in whichever way, so it is the sum of
  /// ``succeededCount``, ``failedCount`` and ``cancelledCount``.
  public var completedCount: Int { succeededCount + failedCount + cancelledCount }

  /// The number of operations that had ever been added: unfinished and finished ones.
  public var totalCount: Int { operationCount + completedCount }

  /// The fraction of all operations that had finished, from 0 to 1; 1 if none had been added.
  public var fractionCompleted: Double {
    totalCount == 0 ? 1 : Double(completedCount) / Double(totalCount)
  }

  mutating func count(_ kind: OutcomeKind) {
    switch kind {
    case .succeeded: succeededCount += 1
    case .failed: failedCount += 1
    case .cancelled: cancelledCount += 1
    }
  }

  mutating func count(_ outcomes: OutcomeCounts) {
    succeededCount += outcomes.succeeded
    failedCount += outcomes.failed
    cancelledCount += outcomes.cancelled
  }
}
