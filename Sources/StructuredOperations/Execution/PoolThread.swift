import Synchronization

#if !os(WASI)
  /// One thread of the pool.
  ///
  /// Unchecked, because of two variables that only the thread itself touches: others reach them through
  /// ``current``, which is a value of their own thread.
  final class PoolThread: @unchecked Sendable {
    let parker = ThreadParker()

    /// The job that runs next here, ahead of the pool's: the one that this thread enqueued first.
    ///
    /// A task that comes back from an actor goes through here and not through the pool's lock and another thread. Only
    /// this thread touches it.
    private var nextJob: PoolJob?
    /// Whether a body runs, which may block for ever on a job that it would have to run itself.
    ///
    /// Only this thread touches it.
    private var isInBody = false
    /// Jobs begun; the monitor tells by it whether the thread gets on.
    let jobCount = Atomic(0)

    private static let local = ThreadLocalPointer()

    /// The calling thread, where it belongs to a pool.
    static var current: PoolThread? {
      local.value.map { Unmanaged<PoolThread>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Runs jobs until the pool has none for as long as a thread may be idle.
    func run(for pool: OperationThreadPool) {
      Self.local.value = Unmanaged.passUnretained(self).toOpaque()
      defer { Self.local.value = nil }
      var keptJobs = 0
      while true {
        let job: PoolJob
        if let kept = nextJob.take() {
          keptJobs += 1
          // Jobs that follow one another for ever must not keep those of others waiting.
          if keptJobs < Self.keptJobsInARow {
            job = kept
          } else {
            keptJobs = 0
            job = pool.exchange(kept)
          }
        } else if let next = pool.nextJob(for: self) {
          keptJobs = 0
          job = next
        } else {
          return
        }
        jobCount.store(jobCount.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
        job.run()
      }
    }

    private static var keptJobsInARow: Int { 64 }

    /// - Returns: Whether this thread will run the job; the pool has to otherwise.
    func keep(_ job: PoolJob) -> Bool {
      guard !isInBody, nextJob == nil else { return false }
      nextJob = job
      return true
    }

    /// Runs a body, which may block: no job waits for its end.
    func runBody<Output>(for pool: OperationThreadPool, _ body: () throws -> Output) rethrows -> Output {
      if let job = nextJob.take() { pool.share(job) }
      isInBody = true
      defer { isInBody = false }
      return try body()
    }
  }
#endif
