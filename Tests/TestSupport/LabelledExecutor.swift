import Dispatch

/// A user's task executor; code can read the label of the executor that it runs on.
package final class LabelledExecutor: TaskExecutor {
  private static let key = DispatchSpecificKey<String>()

  package let label: String
  private let queue: DispatchQueue
  /// The number of jobs that were enqueued.
  package let jobCount = Locked(0)

  package init(_ label: String, isConcurrent: Bool = false) {
    self.label = label
    queue = DispatchQueue(label: label, attributes: isConcurrent ? .concurrent : [])
    queue.setSpecific(key: Self.key, value: label)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    jobCount.increment()
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// The label of the executor that runs the caller; nil if it is not a `LabelledExecutor`.
  package static var currentLabel: String? { DispatchQueue.getSpecific(key: key) }
}
