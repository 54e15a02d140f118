#if !os(WASI)
  /// The executor of tasks that run synchronous bodies, on the threads of the pool.
  ///
  /// Unlike ``OperationThreadPool`` itself, it runs only the package's own worker tasks, which block only inside
  /// bodies. So a job that is enqueued on one of the threads outside a body can be kept for that thread: a worker that
  /// returns from a turn of its queue continues on the same thread.
  final class SynchronousBodyExecutor: TaskExecutor {
    static let shared = SynchronousBodyExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
      let job = PoolJob(job, for: self)
      if let thread = PoolThread.current, thread.keep(job) { return }
      OperationThreadPool.shared.share(job)
    }
  }
#endif
