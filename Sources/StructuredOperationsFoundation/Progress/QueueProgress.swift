public import Foundation
public import StructuredOperations

/// A `Progress` that tells how far a queue has got, and whose cancellation cancels the queue's operations.
///
/// ```swift
/// let progress = QueueProgress(of: queue)
/// window.progress.addChild(progress, withPendingUnitCount: 1)
/// ```
///
/// Every operation is a unit: `totalUnitCount` is how many were ever added, `completedUnitCount` how many have
/// finished, cancelled ones included (QI-06). The numbers follow the queue's `states`: soon, on no thread in particular,
/// never back, and up to the last one. Operations added meanwhile make the fraction smaller (QI-07).
///
/// Cancelling it calls the queue's `cancelAllOperations()`, once and soon: what is added afterwards is not cancelled
/// (QX-02). The other way round nothing happens.
///
/// A progress does not keep its queue, and a queue keeps none of its progresses. It stays as it is when the queue is
/// gone. There may be several for one queue. Foundation's `Progress` is safe to read from any thread on Apple's
/// platforms; on others it does not guard its numbers, so what reads them while they change may see one old and one new.
public final class QueueProgress: Progress, @unchecked Sendable {
  // Unchecked, because Foundation says so of its superclass, and every subclass has to say it again. The proof: the
  // one property that is added is set before anybody else has the object.

  /// What copies the queue's numbers; it holds neither the queue nor the progress.
  private var follower: Follower?

  /// Makes a progress that follows a queue from now on.
  public init(of queue: AsyncOperationQueue) {
    super.init(parent: nil, userInfo: nil)
    isCancellable = true
    cancellationHandler = { [weak queue] in
      guard let queue else { return }
      // Unstructured, since nobody awaits a handler; detached, since whoever cancels has no part in it.
      Task.detached { await queue.cancelAllOperations() }
    }
    follower = Follower(queue.states) { [weak self] in self?.show($0) }
  }

  private func show(_ snapshot: QueueSnapshot) {
    // The total first, so that there are never more units completed than there are.
    totalUnitCount = Int64(snapshot.totalCount)
    completedUnitCount = Int64(snapshot.completedCount)
  }
}
