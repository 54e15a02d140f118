import Synchronization

#if !os(WASI)
  /// One thread of the pool.
  ///
  /// Unchecked, because of a variable that the pool's lock guards, and one that only the thread itself accesses. Its users get
  /// the object from ``current``, which is thread-local.
  final class PoolThread: @unchecked Sendable {
    let parker = ThreadParker()
    private let pool: OperationThreadPool

    /// A job of ``SynchronousBodyExecutor`` that this thread has enqueued and runs next, ahead of the jobs of the pool.
    ///
    /// A task that returns from an actor continues here without the pool's lock and without another thread. Mostly the
    /// thread has nothing else to do then. But it may stay where it is for any time: for example, it runs the turns of
    /// a queue's actor; a task of the user's, which wants to read the queue, is the next in line there; the thread lets
    /// it in, and goes on with that task when it leaves the actor. So while the slot is full the monitor watches it.
    private let keptJob = JobSlot()
    /// Whether a body is running on this thread.
    ///
    /// It may block until a job that it has enqueued has run, so no job is kept for this thread then.
    private var isInBody = false
    /// Whether the thread has been requested or woken for a job, and has not looked for one since; guarded by the pool's lock.
    var isExpected = true
    /// The number of jobs begun, from which the monitor sees whether the thread is blocked.
    let jobCount = Atomic(0)

    private static let local = ThreadLocalPointer()

    /// The calling thread, or nil if it belongs to no pool.
    static var current: PoolThread? {
      local.value.map { Unmanaged<PoolThread>.fromOpaque($0).takeUnretainedValue() }
    }

    /// - Parameter pool: Holds this object, in its list of threads, until the thread ends.
    init(of pool: OperationThreadPool) {
      self.pool = pool
    }

    var hasKeptJob: Bool { !keptJob.isEmpty }

    /// The body of the thread: runs jobs until the pool has had none for the idle timeout.
    func run() {
      Self.local.value = Unmanaged.passUnretained(self).toOpaque()
      defer { Self.local.value = nil }
      var keptJobsInARow = 0
      while let job = takeJob(&keptJobsInARow) {
        jobCount.store(jobCount.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
        job.run()
      }
    }

    private func takeJob(_ keptJobsInARow: inout Int) -> PoolJob? {
      keptJobsInARow += 1
      guard let kept = keptJob.take() else {
        keptJobsInARow = 0
        return pool.nextJob(for: self)
      }
      let job = PoolJob(kept, for: SynchronousBodyExecutor.shared)
      // Tasks that keep enqueuing jobs must not starve the jobs of the pool.
      guard keptJobsInARow >= 64 else { return job }
      keptJobsInARow = 0
      return pool.exchange(job)
    }

    /// Keeps a job that this thread enqueues.
    ///
    /// - Returns: Whether the job will run, on this thread or on another; if not, it goes to the pool.
    func keep(_ job: UnownedJob) -> Bool {
      guard !isInBody, keptJob.put(job) else { return false }
      if pool.watchesKeptJobs() { return true }
      // If it is gone, the monitor has come to life and taken it.
      return keptJob.take() == nil
    }

    /// Passes a kept job on to the pool, where other threads can take it.
    func shareKeptJob() {
      if let job = keptJob.take() { SynchronousBodyExecutor.shared.share(job) }
    }

    /// Runs a body that may block, after passing on the kept job.
    func runBody<Output>(_ body: () throws -> Output) rethrows -> Output {
      shareKeptJob()
      // It may run in a body of this thread, under an executor that runs jobs where they are enqueued.
      let wasInBody = isInBody
      isInBody = true
      defer { isInBody = wasInBody }
      return try body()
    }
  }
#endif
