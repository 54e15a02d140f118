/// Decides when a pool of threads grows, so that bodies that block hold nobody up and short ones get by with few.
///
/// Up to the base there is a thread for each job at once. Above it only a monitor makes threads, at each tick at which
/// jobs wait and the threads have hardly taken any since the last tick; then as many again as there are. So jobs of
/// microseconds never cost a thread, and 64 that block have 64 threads after a handful of ticks.
struct ThreadGrowth: Sendable {
  /// One for each core.
  private let base: Int
  private let maximum: Int
  /// Threads that run, or have been asked for.
  private(set) var threadCount = 0
  /// Jobs that no thread has taken.
  private(set) var backlog = 0
  /// Jobs taken since the last tick.
  private var taken = 0
  /// Whether the monitor ticks.
  private(set) var isMonitored = false
  /// Ticks since there was a backlog.
  private var quietTicks = 0

  init(base: Int, maximum: Int) {
    self.base = base
    self.maximum = maximum
  }

  /// What the caller of ``enqueued(hasIdleThread:)`` does next.
  enum EnqueueAction: Equatable, Sendable { case nothing, wakeThread, addThread, startMonitor }

  mutating func enqueued(hasIdleThread: Bool) -> EnqueueAction {
    backlog += 1
    if hasIdleThread { return .wakeThread }
    if threadCount < min(base, maximum) {
      threadCount += 1
      return .addThread
    }
    if isMonitored { return .nothing }
    isMonitored = true
    quietTicks = 0
    taken = 0
    return .startMonitor
  }

  mutating func tookJob() {
    backlog -= 1
    taken += 1
  }

  /// What the monitor does next.
  enum TickAction: Equatable, Sendable {
    /// Adds that many threads, perhaps none, and goes on.
    case addThreads(Int)
    /// Goes to sleep.
    case stop
  }

  /// - Parameter idleThreads: Threads without a job; they will take theirs, being awake already.
  mutating func tick(idleThreads: Int) -> TickAction {
    defer { taken = 0 }
    if backlog == 0 {
      quietTicks += 1
      if quietTicks < Self.quietTicksBeforeSleep { return .addThreads(0) }
      isMonitored = false
      return .stop
    }
    quietTicks = 0
    guard taken < threadCount else { return .addThreads(0) }
    let added = max(0, min(backlog - idleThreads, threadCount, maximum - threadCount))
    threadCount += added
    return .addThreads(added)
  }

  /// Threads have ended, or could not be made.
  mutating func lostThreads(_ count: Int) { threadCount -= count }

  /// There is no monitor, since none could be made.
  mutating func lostMonitor() { isMonitored = false }

  /// Waking the monitor costs more than some ticks for nothing.
  private static var quietTicksBeforeSleep: Int { 20 }
}
