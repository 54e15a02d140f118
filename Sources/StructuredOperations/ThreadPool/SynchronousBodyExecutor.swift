#if !os(WASI)
  /// The executor of tasks that run synchronous bodies, on the threads of the pool.
  ///
  /// Unlike ``OperationThreadPool`` itself, it runs only the package's own tasks: workers, those of `start()`, and those of
  /// ``ExecutionBlocks``. A worker that returns from a turn of its queue is enqueued here, mostly on the thread that took the
  /// turn. The thread keeps the job, so that the worker continues on it at once; only where that fails does the job go to all
  /// threads. A lone worker that an observer starts in such a turn is kept, too, and waits for the end of the turn, or for the
  /// monitor.
  final class SynchronousBodyExecutor: TaskExecutor {
    static let shared = SynchronousBodyExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      if let thread = PoolThread.current, thread.keep(job) { return }
      share(job)
    }

    /// Gives the job to whichever thread of the pool is free.
    func share(_ job: UnownedJob) { OperationThreadPool.shared.share(PoolJob(job, for: self)) }
  }
#endif
