/// Jobs that wait to be run, and tasks that wait until there are none.
struct JobPool: Sendable {
  typealias Waiter = UnsafeContinuation<Void, Never>

  /// In the order in which they came, as long as the oldest one is taken each time.
  private var jobs: [UnownedJob] = []
  /// Those before this one have left.
  private var head = 0
  private var idleWaiters: [Waiter] = []
  /// How many jobs came from threads other than the one that runs them, while that one ran.
  private(set) var foreignJobCount = 0
  /// Who runs jobs; nil where nobody does.
  private(set) var driver: ThreadIdentity?

  var count: Int { jobs.count - head }

  mutating func append(_ job: UnownedJob, from thread: ThreadIdentity) {
    jobs.append(job)
    if let driver, driver != thread { foreignJobCount += 1 }
  }

  /// The oldest job, or nil.
  mutating func takeFirst() -> UnownedJob? {
    guard head < jobs.count else { return nil }
    let job = jobs[head]
    head += 1
    // Moved down now and then, so that each job is moved once or twice in all.
    if head * 2 >= jobs.count {
      jobs.removeFirst(head)
      head = 0
    }
    return job
  }

  /// Any job; the last one takes its place.
  ///
  /// - Parameter position: 0 up to ``count``.
  mutating func take(at position: Int) -> UnownedJob {
    let job = jobs[head + position]
    let last = jobs.removeLast()
    if head + position < jobs.count { jobs[head + position] = last }
    return job
  }

  // MARK: Idleness

  mutating func appendIdleWaiter(_ waiter: Waiter) { idleWaiters.append(waiter) }

  /// The task to resume where there are no jobs: the one that has waited longest, and it alone, since what it does next
  /// may end the idleness.
  mutating func takeIdleWaiter() -> Waiter? {
    count > 0 || idleWaiters.isEmpty ? nil : idleWaiters.removeFirst()
  }

  // MARK: The driver

  mutating func beginDriving(from thread: ThreadIdentity) {
    precondition(driver == nil, "an executor was asked to run jobs while it did")
    driver = thread
  }

  mutating func endDriving() { driver = nil }
}
