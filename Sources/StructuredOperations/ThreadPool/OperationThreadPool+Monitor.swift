import Synchronization

#if !os(WASI)
  // The monitor is a thread that ticks while jobs wait for a thread, or while threads keep jobs, and sleeps otherwise. It
  // adds threads, and takes kept jobs from threads that do not come back for them.
  extension OperationThreadPool {
    private static var tickMicroseconds: Int { 200 }

    /// Whether the monitor will look at the job that the calling thread has just kept.
    ///
    /// It need not be there: it is started if it sleeps. False if that fails, or if another thread is about to start it,
    /// which may fail.
    func watchesKeptJobs() -> Bool {
      if isWatching.load(ordering: .sequentiallyConsistent) { return true }
      guard state.withLock({ $0.growth.startsMonitor() }) else { return false }
      return startMonitor()
    }

    /// - Returns: False if there is no thread for it.
    @discardableResult
    func startMonitor() -> Bool {
      let (parker, isNew) = state.withLock { state in
        if let monitor = state.monitor {
          isWatching.store(true, ordering: .sequentiallyConsistent)
          return (monitor, false)
        }
        let monitor = ThreadParker()
        state.monitor = monitor
        return (monitor, true)
      }
      guard isNew else {
        parker.wake()
        return true
      }
      if startThread({ self.monitor(sleepingAt: parker) }) { return true }
      let idleThreads = state.withLock { state in
        state.monitor = nil
        return state.growth.lostMonitor() ? state.idleThreads.removeEach() : []
      }
      // They look for a job once more, and then wait for a shorter time.
      for thread in idleThreads { thread.parker.wake() }
      return false
    }

    /// The body of the monitor thread.
    private func monitor(sleepingAt parker: ThreadParker) {
      state.withLock { _ in isWatching.store(true, ordering: .sequentiallyConsistent) }
      while true {
        _ = parker.park(microseconds: Self.tickMicroseconds)
        switch tick() {
        case .addThreads(let count): addThreads(count)
        case .stop:
          if !sleepMonitor(at: parker) { return }
        }
      }
    }

    private func tick() -> ThreadGrowth.TickAction {
      let (action, detained) = state.withLock { state in
        let progress = state.progress()
        let action = state.growth.tick(busyThreads: progress.busyThreads)
        guard action == .stop else { return (action, progress.detained) }
        isWatching.store(false, ordering: .sequentiallyConsistent)
        // For example, a thread has just kept a job and found that it is watched. From here on it would find that it is
        // not, so this look misses none.
        guard state.threads.contains(where: { $0.thread.hasKeptJob }), state.growth.startsMonitor() else {
          return (.stop, progress.detained)
        }
        isWatching.store(true, ordering: .sequentiallyConsistent)
        return (.addThreads(0), progress.detained)
      }
      // After the growth, which would add a thread for a job that an idle one is about to take.
      for thread in detained { thread.shareKeptJob() }
      return action
    }

    /// - Returns: Whether the monitor ticks again; false if its thread has to end.
    private func sleepMonitor(at parker: ThreadParker) -> Bool {
      while true {
        if parker.park(microseconds: state.withLock { $0.growth.idleMicroseconds }) { return true }
        let isEnding = state.withLock { state in
          guard !state.growth.isMonitored else { return false }
          state.monitor = nil
          return true
        }
        if isEnding { return false }
      }
    }
  }
#endif
