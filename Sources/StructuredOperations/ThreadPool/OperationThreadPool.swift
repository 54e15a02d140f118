import Synchronization

/// The threads that run synchronous bodies, which may block without holding up other work.
///
/// If no thread is idle, the pool creates one at once while it has fewer than there are cores. Beyond that it looks every 200 µs,
/// on Windows as often as its timer allows, and creates more where jobs wait and threads are blocked, up to 4 096. If all of these are
/// blocked, or the platform refuses to create a thread, jobs wait for one; if there is no thread at all, they run on the cooperative
/// pool. A thread ends after five seconds without a job, or after 10 ms while the platform refuses threads. On WASI, which has no
/// threads, bodies run on the cooperative pool.
///
/// On Apple's platforms a thread has the quality of service that corresponds to the priority of the task that it runs. To other systems
/// all threads are alike.
///
/// Pass it to an operation or a queue as the executor to run asynchronous bodies on these threads too; for one blocking call
/// of asynchronous code there is ``run(_:)``.
public final class OperationThreadPool: TaskExecutor {
  /// The pool of the process.
  public static let shared = OperationThreadPool()

  #if os(WASI)
    private init() {}

    /// Runs the job on a thread of the pool.
    public func enqueue(_ job: consuming ExecutorJob) { globalConcurrentExecutor.enqueue(job) }

    static var sharedExecutor: (any TaskExecutor)? { nil }

    static var coreCount: Int { 1 }

    static func blocking<Output>(_ body: () throws -> Output) rethrows -> Output { try body() }
  #else
    /// The executor of synchronous bodies; nil is the cooperative pool.
    static var sharedExecutor: (any TaskExecutor)? { SynchronousBodyExecutor.shared }

    /// The number of cores that were active when it was first asked for: to find it Linux reads a file, each time.
    static let coreCount = PlatformThread.coreCount

    let state: Guarded<State>
    /// Whether the monitor ticks.
    ///
    /// Changes under the lock of ``state``, together with the growth's `isMonitored`, but for the time that the monitor's
    /// thread takes to begin.
    let isWatching = Atomic(false)
    /// Returns false if no thread could be created.
    let startThread: ThreadStart

    typealias ThreadStart = @Sendable (_ body: @escaping @Sendable () -> Void) -> Bool

    /// - Parameter startThread: A parameter so that tests can make the creation of threads fail.
    init(startThread: @escaping ThreadStart = PlatformThread.start) {
      self.startThread = startThread
      let growth = ThreadGrowth(base: Self.coreCount, maximum: Self.maximumThreadCount)
      state = Guarded(State(growth: growth))
    }

    private static var maximumThreadCount: Int { 4_096 }

    /// Runs the job on a thread of the pool.
    ///
    /// - Parameter job: The job. Swift's runtime calls this.
    public func enqueue(_ job: consuming ExecutorJob) {
      share(PoolJob(UnownedJob(job), for: self))
    }

    /// Runs a body that may block on the calling thread.
    static func blocking<Output>(_ body: () throws -> Output) rethrows -> Output {
      guard let thread = PoolThread.current else { return try body() }
      return try thread.runBody(body)
    }

    /// Adds a job to the queue that all threads take jobs from.
    func share(_ job: PoolJob) {
      let (action, thread) = state.withLock { state in
        state.jobs.append(job)
        let action = state.growth.enqueued(hasIdleThread: !state.idleThreads.isEmpty)
        let thread = action == .wakeThread ? state.idleThreads.popLast() : nil
        thread?.isExpected = true
        return (action, thread)
      }
      switch action {
      case .nothing: break
      case .wakeThread: thread?.parker.wake()
      case .addThread: addThreads(1)
      case .startMonitor: startMonitor()
      }
    }

    /// Adds a job to the end of the queue and takes the first.
    func exchange(_ job: PoolJob) -> PoolJob {
      state.withLock { state in
        guard let first = state.jobs.popFirst() else { return job }
        state.jobs.append(job)
        return first
      }
    }

    /// Blocks until there is a job for the thread, or returns nil after the idle timeout.
    func nextJob(for thread: PoolThread) -> PoolJob? {
      while true {
        let (job, idleMicroseconds) = state.withLock { state in
          if thread.isExpected {
            thread.isExpected = false
            state.growth.arrived()
          }
          if let job = state.jobs.popFirst() {
            state.growth.tookJob()
            return (job as PoolJob?, 0)
          }
          state.idleThreads.append(thread)
          return (nil, state.growth.idleMicroseconds)
        }
        if let job { return job }
        if thread.parker.park(microseconds: idleMicroseconds) { continue }
        let isEnding = state.withLock { state in
          // For example, `share(_:)` on another thread has just removed this thread from the list, but not called
          // `wake()` yet. Then a job is waiting for this thread, so it must not end.
          guard let index = state.idleThreads.firstIndex(where: { $0 === thread }) else { return false }
          state.idleThreads.remove(at: index)
          state.threads.removeAll { $0.thread === thread }
          state.growth.lostThread()
          return true
        }
        if isEnding { return nil }
        while !thread.parker.park(microseconds: idleMicroseconds) {}
      }
    }

    func addThreads(_ count: Int) {
      for added in 0..<count {
        let thread = PoolThread(of: self)
        state.withLock { $0.threads.append((thread, 0)) }
        if startThread({ thread.run() }) { continue }
        state.withLock { $0.threads.removeAll { $0.thread === thread } }
        return threadCreationFailed(missing: count - added)
      }
      if count > 0 { state.withLock { $0.growth.createdThreads() } }
    }

    /// Leaves the jobs to the existing threads, and has the monitor ask for more; or, if there are none, moves the jobs to the
    /// cooperative pool.
    private func threadCreationFailed(missing: Int) {
      let (jobsWithoutThread, idleThreads, startsMonitor) = state.withLock { state in
        state.growth.failedToCreateThreads(missing: missing)
        var jobs: [PoolJob] = []
        while state.growth.threadCount == 0, let job = state.jobs.popFirst() {
          state.growth.tookJob()
          jobs.append(job)
        }
        // The existing threads may all be blocked.
        let startsMonitor = !state.jobs.isEmpty && state.growth.startsMonitor()
        return (jobs, state.idleThreads.removeEach(), startsMonitor)
      }
      // They look for a job once more, and then wait for a shorter time.
      for thread in idleThreads { thread.parker.wake() }
      for job in jobsWithoutThread { job.runOnCooperativePool() }
      if startsMonitor { startMonitor() }
    }
  #endif
}
