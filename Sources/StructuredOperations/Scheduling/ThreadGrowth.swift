/// Decides when a pool of threads grows, so that bodies that block hold nobody up and short ones get by with few.
///
/// Up to the base there is a thread for each job at once. Above it only a monitor makes threads, at each tick at which
/// jobs wait while fewer threads than the base get on: as many as are missing, or as many again as there are where none
/// gets on. So jobs of microseconds never cost a thread, and 64 that block have 64 threads after a handful of ticks.
struct ThreadGrowth: Sendable {
  /// One for each core.
  private let base: Int
  private let maximum: Int
  /// Threads that run, or have been asked for.
  private(set) var threadCount = 0
  /// Jobs that no thread has taken.
  private(set) var backlog = 0
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
    return .startMonitor
  }

  mutating func tookJob() { backlog -= 1 }

  /// What the monitor does next.
  enum TickAction: Equatable, Sendable {
    /// Adds that many threads, perhaps none, and goes on.
    case addThreads(Int)
    /// Goes to sleep.
    case stop
  }

  /// - Parameters:
  ///   - idleThreads: Threads without a job, which will take one, being awake already.
  ///   - busyThreads: Threads that have begun a job since the last tick.
  mutating func tick(idleThreads: Int, busyThreads: Int) -> TickAction {
    if backlog == 0 {
      quietTicks += 1
      if quietTicks < Self.quietTicksBeforeSleep { return .addThreads(0) }
      isMonitored = false
      return .stop
    }
    quietTicks = 0
    let missing = busyThreads == 0 ? threadCount : base - busyThreads
    let added = max(0, min(missing, backlog - idleThreads, maximum - threadCount))
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
