#if !os(WASI)
  /// A job, and the executor that it was enqueued on, which it has to run as.
  struct PoolJob: Sendable {
    private let job: UnownedJob
    private let executor: any TaskExecutor

    init(_ job: UnownedJob, for executor: any TaskExecutor) {
      self.job = job
      self.executor = executor
    }

    func run() {
      #if canImport(Darwin)
        ThreadQuality(rawPriority: job.priority.rawValue).apply { runHere() }
      #else
        runHere()
      #endif
    }

    private func runHere() { job.runSynchronously(on: executor.asUnownedTaskExecutor()) }

    /// For jobs of a pool without threads.
    func runOnCooperativePool() { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
  }
#endif
