/// Decides when a pool of threads grows, so that short jobs need few threads and blocking ones do not delay others.
///
/// Up to `base` threads, each job without an idle thread gets a new one at once. Above that, threads are added only by
/// a monitor, at ticks at which jobs wait and fewer than `base` threads make progress: as many as are missing or, if none
/// makes progress, as many as there are. So jobs of microseconds cost no thread, and 64 that block have 64 threads after
/// a few ticks.
struct ThreadGrowth: Sendable {
  /// The number of cores.
  private let base: Int
  private let maximum: Int
  /// Threads that exist or have been requested.
  private(set) var threadCount = 0
  /// Jobs that wait for a thread.
  private(set) var backlog = 0
  /// Threads that have been requested or woken for a job, and have not looked for one since.
  private var expectedCount = 0
  private(set) var isMonitored = false
  /// Consecutive ticks without a backlog.
  private var quietTicks = 0
  /// Whether the platform has refused a thread since it last gave one.
  private(set) var isScarce = false
  /// Ticks until the platform is asked for threads again.
  private var ticksBeforeRetry = 0
  /// Doubles with each refusal.
  private var retryInterval = 1

  init(base: Int, maximum: Int) {
    self.base = base
    self.maximum = maximum
  }

  /// What the caller of ``enqueued(hasIdleThread:)`` does next.
  enum EnqueueAction: Equatable, Sendable { case nothing, wakeThread, addThread, startMonitor }

  mutating func enqueued(hasIdleThread: Bool) -> EnqueueAction {
    backlog += 1
    if hasIdleThread {
      expectedCount += 1
      return .wakeThread
    }
    if threadCount < min(base, maximum) {
      threadCount += 1
      expectedCount += 1
      return .addThread
    }
    return startsMonitor() ? .startMonitor : .nothing
  }

  /// The monitor is needed.
  ///
  /// - Returns: Whether the caller starts it; false if it is there, or somebody else is about to start it.
  mutating func startsMonitor() -> Bool {
    if isMonitored { return false }
    isMonitored = true
    quietTicks = 0
    return true
  }

  /// A thread that was requested or woken looks for a job; another one may have taken it.
  mutating func arrived() { expectedCount -= 1 }

  mutating func tookJob() { backlog -= 1 }

  /// What the monitor does next.
  enum TickAction: Equatable, Sendable {
    /// Adds this number of threads, possibly 0, and ticks again.
    case addThreads(Int)
    /// Sleeps until it is started again.
    case stop
  }

  /// - Parameter busyThreads: Threads that have begun a job since the last tick.
  mutating func tick(busyThreads: Int) -> TickAction {
    if backlog == 0 {
      quietTicks += 1
      if quietTicks < Self.quietTicksBeforeSleep { return .addThreads(0) }
      isMonitored = false
      return .stop
    }
    quietTicks = 0
    if ticksBeforeRetry > 0 {
      ticksBeforeRetry -= 1
      return .addThreads(0)
    }
    let missing = busyThreads == 0 ? threadCount : base - busyThreads
    let added = max(0, min(missing, backlog - expectedCount, maximum - threadCount))
    threadCount += added
    expectedCount += added
    return .addThreads(added)
  }

  /// A thread has ended.
  mutating func lostThread() { threadCount -= 1 }

  /// All threads of an ``EnqueueAction/addThread`` or ``TickAction/addThreads(_:)`` have been created.
  mutating func createdThreads() {
    isScarce = false
    ticksBeforeRetry = 0
    retryInterval = 1
  }

  /// Some of them could not be created.
  ///
  /// Whatever ends a thread leaves room for one, and others are after it that ask less often than the monitor ticks. So
  /// the pool asks at longer and longer intervals.
  mutating func failedToCreateThreads(missing: Int) {
    threadCount -= missing
    expectedCount -= missing
    isScarce = true
    ticksBeforeRetry = retryInterval
    retryInterval = min(retryInterval * 2, Self.longestRetryInterval)
  }

  /// The monitor thread could not be created.
  ///
  /// - Returns: Whether idle threads have to be told: not where they wait for a shorter time already.
  mutating func lostMonitor() -> Bool {
    let wasScarce = isScarce
    isMonitored = false
    isScarce = true
    return !wasScarce
  }

  /// How long a thread waits for a job before it ends.
  ///
  /// While threads are scarce one without a job may be the one that somebody else waits for. For example, on Linux
  /// whoever gives a job to the cooperative pool sleeps for a second, and again, until that pool can have a thread.
  var idleMicroseconds: Int { isScarce ? 10_000 : 5_000_000 }

  private static var longestRetryInterval: Int { 2_048 }

  /// Waking the monitor costs more than a few ticks without effect.
  private static var quietTicksBeforeSleep: Int { 20 }
}
