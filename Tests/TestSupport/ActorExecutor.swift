import Dispatch

/// An executor of one actor, with a thread that the actor may keep busy, which can tell that it runs the caller.
package final class ActorExecutor: SerialExecutor {
  private static let key = DispatchSpecificKey<Bool>()

  private let queue = DispatchQueue(label: "actor")

  package init() { queue.setSpecific(key: Self.key, value: true) }

  /// Whether an executor of this type runs the caller.
  package static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
