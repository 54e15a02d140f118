/// The jobs of an executor, and the tasks that wait until it is idle.
struct JobPool: Sendable {
  typealias Waiter = UnsafeContinuation<Void, Never>

  /// In the order of arrival as long as ``take(at:)`` is not used.
  private var jobs: [UnownedJob] = []
  /// The index of the first job that has not been taken.
  private var head = 0
  private var idleWaiters: [Waiter] = []
  /// The number of jobs enqueued by other threads while the driver was running.
  private(set) var foreignJobCount = 0
  /// The thread that runs jobs at present.
  private(set) var driver: ThreadIdentity?

  var count: Int { jobs.count - head }

  /// Whether there is neither a job nor a task that waits until it is idle.
  var isEmpty: Bool { count == 0 && idleWaiters.isEmpty }

  mutating func append(_ job: UnownedJob, from thread: ThreadIdentity) {
    jobs.append(job)
    if let driver, driver != thread { foreignJobCount += 1 }
  }

  /// Takes the oldest job.
  mutating func takeFirst() -> UnownedJob? {
    guard head < jobs.count else { return nil }
    let job = jobs[head]
    head += 1
    // Removing taken jobs only when they are half of the array makes this amortised O(1).
    if head * 2 >= jobs.count {
      jobs.removeFirst(head)
      head = 0
    }
    return job
  }

  /// Takes one job, and moves the last job to its position.
  ///
  /// - Parameter position: 0 for the first job; less than ``count``.
  mutating func take(at position: Int) -> UnownedJob {
    let job = jobs[head + position]
    let last = jobs.removeLast()
    if head + position < jobs.count { jobs[head + position] = last }
    return job
  }

  // MARK: Idleness

  mutating func appendIdleWaiter(_ waiter: Waiter) {
    if driver == nil { fatalError("waitUntilIdle() outside of a run of the executor would never return") }
    idleWaiters.append(waiter)
  }

  /// Takes the task that has waited longest, if there are no jobs.
  ///
  /// Only one, because the executor may be busy again once it has been resumed.
  mutating func takeIdleWaiter() -> Waiter? {
    count > 0 || idleWaiters.isEmpty ? nil : idleWaiters.removeFirst()
  }

  // MARK: Driver

  mutating func beginDriving(from thread: ThreadIdentity) {
    if driver != nil { fatalError("the executor is already running jobs") }
    driver = thread
  }

  mutating func endDriving() { driver = nil }
}
