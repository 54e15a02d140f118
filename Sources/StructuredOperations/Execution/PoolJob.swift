#if !os(WASI)
  /// A job with the executor that it was given to, as which it has to run.
  struct PoolJob: Sendable {
    private let job: UnownedJob
    private let executor: any TaskExecutor

    init(_ job: consuming ExecutorJob, for executor: any TaskExecutor) {
      self.job = UnownedJob(job)
      self.executor = executor
    }

    func run() { job.runSynchronously(on: executor.asUnownedTaskExecutor()) }

    /// Runs the job elsewhere, for want of threads.
    func runOnCooperativePool() { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
  }
#endif
