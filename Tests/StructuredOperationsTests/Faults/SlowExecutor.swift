import Dispatch
import StructuredOperations
import TestSupport

/// An executor on one thread that is late with every job, and not in order: each second one comes a little later still.
final class SlowExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "slow")
  private let count = Locked(0)

  func enqueue(_ job: consuming ExecutorJob) {
    let number = count.withLock { count in
      count += 1
      return count
    }
    let job = UnownedJob(job)
    queue.asyncAfter(deadline: .now() + .microseconds(number.isMultiple(of: 2) ? 300 : 100)) {
      job.runSynchronously(on: self.asUnownedTaskExecutor())
    }
  }
}
