import Synchronization

/// The threads that synchronous bodies run on: they may block without starving anybody.
///
/// Threads are made on demand, as many as the limits of the queues let bodies run, 4 096 at most; beyond that, and
/// where the platform has no more to give, work waits for a thread. A thread that has had nothing to do for five
/// seconds ends. On a platform without threads (WASI) bodies run in place.
///
/// It can be given to an operation or a queue as its executor, where asynchronous bodies have to run there too.
public final class OperationThreadPool: TaskExecutor {
  /// The pool of the process.
  public static let shared = OperationThreadPool()

  #if os(WASI)
    private init() {}

    /// Has a thread of the pool run the job.
    public func enqueue(_ job: consuming ExecutorJob) { globalConcurrentExecutor.enqueue(job) }

    static var sharedExecutor: (any TaskExecutor)? { nil }

    static var coreCount: Int { 1 }

    static func blocking<Output>(_ body: () throws -> Output) rethrows -> Output { try body() }
  #else
    /// Where synchronous bodies run; nil is the cooperative pool.
    static var sharedExecutor: (any TaskExecutor)? { SynchronousBodyExecutor.shared }

    /// How many cores are active.
    static var coreCount: Int { PlatformThread.coreCount }

    private struct State: Sendable {
      var jobs = FIFOQueue<PoolJob>()
      /// Threads asleep; the last one fell asleep last and wakes first.
      var idleThreads: [PoolThread] = []
      /// Those that run, with the number of jobs that each had begun at the last tick.
      var threads: [(thread: PoolThread, jobCount: Int)] = []
      var growth: ThreadGrowth
      /// Nil until one is needed, and after it has ended.
      var monitor: ThreadParker?

      /// How many threads have begun a job since the last tick.
      ///
      /// O(threads).
      mutating func countBusyThreads() -> Int {
        var count = 0
        for index in threads.indices {
          let jobCount = threads[index].thread.jobCount.load(ordering: .relaxed)
          if jobCount != threads[index].jobCount { count += 1 }
          threads[index].jobCount = jobCount
        }
        return count
      }
    }

    private let state: Guarded<State>
    /// Starts a thread, and says whether there was one to start.
    private let startThread: ThreadStart

    typealias ThreadStart = @Sendable (_ body: @escaping @Sendable () -> Void) -> Bool

    /// Makes a pool of its own.
    ///
    /// - Parameter startThread: Where threads come from: tests have pools that get none.
    init(startThread: @escaping ThreadStart = PlatformThread.start) {
      self.startThread = startThread
      let growth = ThreadGrowth(base: PlatformThread.coreCount, maximum: Self.maximumThreadCount)
      state = Guarded(State(growth: growth))
    }

    private static var maximumThreadCount: Int { 4_096 }
    private static var idleMicroseconds: Int { 5_000_000 }
    private static var tickMicroseconds: Int { 200 }

    /// Has a thread of the pool run the job.
    public func enqueue(_ job: consuming ExecutorJob) {
      share(PoolJob(job, for: self))
    }

    /// Runs a body, which may block, on the calling thread.
    static func blocking<Output>(_ body: () throws -> Output) rethrows -> Output {
      guard let thread = PoolThread.current else { return try body() }
      return try thread.runBody(for: shared, body)
    }

    /// Gives a job to whichever thread is free first.
    func share(_ job: PoolJob) {
      let (action, thread) = state.withLock { state in
        state.jobs.append(job)
        let action = state.growth.enqueued(hasIdleThread: !state.idleThreads.isEmpty)
        return (action, action == .wakeThread ? state.idleThreads.popLast() : nil)
      }
      switch action {
      case .nothing: break
      case .wakeThread: thread?.parker.wake()
      case .addThread: addThreads(1)
      case .startMonitor: startMonitor()
      }
    }

    /// Puts a job behind those that wait, and gives the first of them in exchange.
    func exchange(_ job: PoolJob) -> PoolJob {
      state.withLock { state in
        guard let first = state.jobs.popFirst() else { return job }
        state.jobs.append(job)
        return first
      }
    }

    /// The next job for a thread, which sleeps until there is one; nil where it has to end.
    func nextJob(for thread: PoolThread) -> PoolJob? {
      while true {
        let job = state.withLock { state in
          if let job = state.jobs.popFirst() {
            state.growth.tookJob()
            return job as PoolJob?
          }
          state.idleThreads.append(thread)
          return nil
        }
        if let job { return job }
        if thread.parker.park(microseconds: Self.idleMicroseconds) { continue }
        let isOver = state.withLock { state in
          // Whoever took it off the list is about to wake it.
          guard let index = state.idleThreads.firstIndex(where: { $0 === thread }) else { return false }
          state.idleThreads.remove(at: index)
          state.threads.removeAll { $0.thread === thread }
          state.growth.lostThreads(1)
          return true
        }
        if isOver { return nil }
        while !thread.parker.park(microseconds: Self.idleMicroseconds) {}
      }
    }

    private func addThreads(_ count: Int) {
      for added in 0..<count {
        let thread = PoolThread()
        state.withLock { $0.threads.append((thread, 0)) }
        if startThread({ thread.run(for: self) }) { continue }
        state.withLock { $0.threads.removeAll { $0.thread === thread } }
        return noMoreThreads(count - added)
      }
    }

    /// Where the platform gives no thread, the threads there are do the work; where there is none at all, the
    /// cooperative pool does, which is better than nobody.
    private func noMoreThreads(_ missing: Int) {
      let orphans = state.withLock { state in
        state.growth.lostThreads(missing)
        var orphans: [PoolJob] = []
        while state.growth.threadCount == 0, let job = state.jobs.popFirst() {
          state.growth.tookJob()
          orphans.append(job)
        }
        return orphans
      }
      for job in orphans { job.runOnCooperativePool() }
    }

    private func startMonitor() {
      let (parker, isNew) = state.withLock { state in
        if let monitor = state.monitor { return (monitor, false) }
        let monitor = ThreadParker()
        state.monitor = monitor
        return (monitor, true)
      }
      guard isNew else { return parker.wake() }
      if startThread({ self.monitor(sleepingAt: parker) }) { return }
      state.withLock { state in
        state.monitor = nil
        state.growth.lostMonitor()
      }
    }

    /// The monitor's thread: ticks while there is a backlog, sleeps while there is none.
    private func monitor(sleepingAt parker: ThreadParker) {
      while true {
        _ = parker.park(microseconds: Self.tickMicroseconds)
        let action = state.withLock { state in
          state.growth.tick(idleThreads: state.idleThreads.count, busyThreads: state.countBusyThreads())
        }
        switch action {
        case .addThreads(let count): addThreads(count)
        case .stop:
          if !sleepMonitor(at: parker) { return }
        }
      }
    }

    /// - Returns: Whether the monitor goes on; otherwise its thread ends.
    private func sleepMonitor(at parker: ThreadParker) -> Bool {
      while true {
        if parker.park(microseconds: Self.idleMicroseconds) { return true }
        let isOver = state.withLock { state in
          guard !state.growth.isMonitored else { return false }
          state.monitor = nil
          return true
        }
        if isOver { return false }
      }
    }
  #endif
}
