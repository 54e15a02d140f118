public import Foundation
public import StructuredOperations

/// A `Progress` that reports the progress of a queue, and cancels the queue's operations when it is cancelled.
///
/// ```swift
/// let progress = QueueProgress(of: queue)
/// window.progress.addChild(progress, withPendingUnitCount: 1)
/// ```
///
/// Each operation is one unit: `totalUnitCount` is the number of operations ever added, `completedUnitCount` the number
/// of finished ones, including cancelled ones. The counts follow the queue's `states`, asynchronously and on an
/// unspecified thread. They never decrease, and the final ones are always reported. The fraction decreases when
/// operations are added.
///
/// Cancelling the progress calls the queue's `cancelAllOperations()` once, asynchronously. Operations added afterwards
/// are not cancelled. Cancelling the queue's operations does not cancel the progress.
///
/// A queue may have any number of progress objects. Neither keeps the other alive; the progress keeps its last counts
/// when the queue is gone. On Apple's platforms a `Progress` may be read from any thread. On others it is not
/// synchronised: a concurrent reader may see one old and one new count. `fractionCompleted` of the queue's `snapshot` is safe
/// everywhere.
public final class QueueProgress: Progress, @unchecked Sendable {
  // Unchecked, because the superclass is, and every subclass has to repeat it. The only added property is set once, in
  // the initialiser.

  /// Holds weak references only.
  private var follower: Follower?

  /// Makes a progress that follows a queue.
  ///
  /// - Parameter queue: The queue, which is not kept.
  public init(of queue: AsyncOperationQueue) {
    super.init(parent: nil, userInfo: nil)
    isCancellable = true
    cancellationHandler = { [weak queue] in
      guard let queue else { return }
      // Unstructured, because a handler is synchronous; detached, so that nothing is inherited from the calling task.
      Task.detached { await queue.cancelAllOperations() }
    }
    follower = Follower(queue.states) { [weak self] in self?.show($0) }
  }

  private func show(_ snapshot: QueueSnapshot) {
    // The total first, so that the completed count never exceeds it.
    totalUnitCount = Int64(snapshot.totalCount)
    completedUnitCount = Int64(snapshot.completedCount)
  }
}
