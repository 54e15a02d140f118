import Synchronization

#if !os(WASI)
  /// One thread of the pool.
  ///
  /// Unchecked, because of two variables that only the thread itself accesses. Their users get the object from
  /// ``current``, which is thread-local.
  final class PoolThread: @unchecked Sendable {
    let parker = ThreadParker()

    /// A job that this thread has enqueued and runs next, ahead of the jobs of the pool.
    ///
    /// A task that returns from an actor continues here without the pool's lock and without another thread.
    private var nextJob: PoolJob?
    /// Whether a body is running on this thread.
    ///
    /// It may block until a job that it has enqueued has run, so no job is kept for this thread then.
    private var isInBody = false
    /// The number of jobs begun, from which the monitor sees whether the thread is blocked.
    let jobCount = Atomic(0)

    private static let local = ThreadLocalPointer()

    /// The calling thread, or nil if it belongs to no pool.
    static var current: PoolThread? {
      local.value.map { Unmanaged<PoolThread>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The body of the thread: runs jobs until the pool has had none for the idle timeout.
    func run(for pool: OperationThreadPool) {
      Self.local.value = Unmanaged.passUnretained(self).toOpaque()
      defer { Self.local.value = nil }
      var keptJobsInARow = 0
      while let job = takeJob(from: pool, &keptJobsInARow) {
        jobCount.store(jobCount.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
        job.run()
      }
    }

    private func takeJob(from pool: OperationThreadPool, _ keptJobsInARow: inout Int) -> PoolJob? {
      keptJobsInARow += 1
      guard let job = nextJob.take() else {
        keptJobsInARow = 0
        return pool.nextJob(for: self)
      }
      // Tasks that keep enqueuing jobs must not starve the jobs of the pool.
      guard keptJobsInARow >= 64 else { return job }
      keptJobsInARow = 0
      return pool.exchange(job)
    }

    /// - Returns: Whether this thread will run the job; if not, it goes to the pool.
    func keep(_ job: PoolJob) -> Bool {
      guard !isInBody, nextJob == nil else { return false }
      nextJob = job
      return true
    }

    /// Runs a body that may block, after passing a kept job to the pool, where other threads can take it.
    func runBody<Output>(for pool: OperationThreadPool, _ body: () throws -> Output) rethrows -> Output {
      if let job = nextJob.take() { pool.share(job) }
      isInBody = true
      defer { isInBody = false }
      return try body()
    }
  }
#endif
