/// What a queue was at one moment.
///
/// Barriers are not counted (QB-03).
public struct QueueSnapshot: Hashable, Sendable {
  /// How many operations were in the queue: those that waited and those that executed.
  public internal(set) var operationCount = 0

  /// How many of them had been chosen to execute.
  ///
  /// At most ``maxConcurrentOperationCount``, unless that was lowered.
  public internal(set) var executingCount = 0

  /// How many operations had finished since the queue was made, cancelled ones included (QI-06).
  public internal(set) var completedCount = 0

  /// Whether the queue started nothing for the time being.
  public internal(set) var isSuspended = false

  /// How many operations could execute at a time; -1 is the default.
  public internal(set) var maxConcurrentOperationCount: Int

  /// How many operations had ever been added: those in the queue and those that had finished.
  public var totalCount: Int { operationCount + completedCount }

  /// Which part of all operations had finished, from 0 to 1; 1 where there had been none.
  public var fractionCompleted: Double {
    totalCount == 0 ? 1 : Double(completedCount) / Double(totalCount)
  }
}
