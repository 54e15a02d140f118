#if !os(WASI)
  /// Where the tasks of synchronous bodies run: on the threads of the pool.
  ///
  /// Unlike ``OperationThreadPool`` itself it knows what runs in its tasks, bodies and turns of queues, and so when a
  /// thread may keep the job that it enqueues: a task that comes back from a turn goes on where it was.
  final class SynchronousBodyExecutor: TaskExecutor {
    static let shared = SynchronousBodyExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
      let job = PoolJob(job, for: self)
      if let thread = PoolThread.current, thread.keep(job) { return }
      OperationThreadPool.shared.share(job)
    }
  }
#endif
