import Synchronization

#if !os(WASI)
  extension OperationThreadPool {
    /// What the pool's lock guards.
    struct State: Sendable {
      var jobs = FIFOQueue<PoolJob>()
      /// A stack: the thread that became idle last is woken first.
      var idleThreads: [PoolThread] = []
      /// All threads, with the number of jobs that each had begun at the last tick.
      var threads: [(thread: PoolThread, jobCount: Int)] = []
      var growth: ThreadGrowth
      /// Where the monitor thread sleeps; nil if there is no such thread.
      var monitor: ThreadParker?

      init(growth: ThreadGrowth) {
        self.growth = growth
      }

      /// How the threads got on since the last tick.
      struct Progress: Sendable {
        /// The number of threads that have begun a job.
        var busyThreads = 0
        /// Those that have not, and keep a job.
        var detained: [PoolThread] = []
      }

      /// In O(threads).
      mutating func progress() -> Progress {
        var progress = Progress()
        for index in threads.indices {
          let thread = threads[index].thread
          let jobCount = thread.jobCount.load(ordering: .relaxed)
          if jobCount != threads[index].jobCount {
            progress.busyThreads += 1
          } else if thread.hasKeptJob {
            progress.detained.append(thread)
          }
          threads[index].jobCount = jobCount
        }
        return progress
      }
    }
  }
#endif
