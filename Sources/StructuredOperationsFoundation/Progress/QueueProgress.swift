public import Foundation
public import StructuredOperations
import Synchronization

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
/// A parent counts its child as complete once the fraction is 1, and where the queue gets more afterwards it may count it again. So give
/// the progress of a queue to a parent only where the queue does not become empty before the end, and before it runs: suspend it until
/// everything has been added, for example. The progress of a queue that never gets anything does not finish.
///
/// Cancelling the progress calls the queue's `cancelAllOperations()` once, asynchronously: what is added before that call comes is
/// cancelled, too. Cancelling the queue's operations does not cancel the progress. A `cancellationHandler` of your own would take the
/// place of the one that does this. Pausing the progress does not suspend the queue.
///
/// A queue may have any number of progress objects. Neither keeps the other alive; the progress keeps its last counts
/// when the queue is gone. On Apple's platforms a `Progress` may be read from any thread. On others it is not
/// synchronised: a concurrent reader may see one old and one new count, and the program may crash where a parent is given a child
/// while the queue of another child runs. So give it all of them before any queue runs. `fractionCompleted` of the queue's
/// `snapshot` is safe everywhere.
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
    let isDone = Atomic(false)
    cancellationHandler = { [weak queue] in
      // Called again where the progress, or its parent, is cancelled again.
      guard let queue, !isDone.exchange(true, ordering: .relaxed) else { return }
      // Unstructured, because a handler is synchronous; detached, so that nothing is inherited from the calling task.
      Task.detached { await queue.cancelAllOperations() }
    }
    // Here, so that nothing changes while a queue that does not run is given to a parent.
    show(queue.snapshot)
    follower = Follower(queue.states) { [weak self] in self?.show($0) }
  }

  private func show(_ snapshot: QueueSnapshot) {
    #if canImport(Darwin)
      set(snapshot)
    #else
      Self.changing.withLock { set(snapshot) }
    #endif
  }

  private func set(_ snapshot: QueueSnapshot) {
    let (total, completed) = (Int64(snapshot.totalCount), Int64(snapshot.completedCount))
    // The total first, so that the completed count never exceeds it.
    if totalUnitCount != total { totalUnitCount = total }
    if completedUnitCount != completed { completedUnitCount = completed }
  }

  #if !canImport(Darwin)
    /// Held while any progress changes: that changes its parent, too, which several may share, and which nothing else guards
    /// here.
    private static let changing = NSLock()
  #endif
}
