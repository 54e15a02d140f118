import Dispatch
import Synchronization

/// An executor with a single thread, which exists before its first job.
///
/// The cooperative pool makes its threads when there are jobs. If the system refuses, jobs wait until it does not, which
/// may be never: the commands of a run can be what fills the limit.
final class ThreadExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  /// Signalled once for each job.
  private let jobCount = DispatchSemaphore(value: 0)

  /// Makes the thread, which never ends; throws ``SystemError``.
  init() throws {
    try SystemThread.start { self.run() }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    jobCount.signal()
  }

  private func run() -> Never {
    while true {
      jobCount.wait()
      // All that are there, in the order of arrival: taking them one by one off the front would move the others.
      for job in jobs.withLock({ jobs in exchange(&jobs, with: []) }) {
        job.runSynchronously(on: asUnownedTaskExecutor())
      }
    }
  }
}
