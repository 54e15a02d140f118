extension AsyncOperationQueue {
  /// Changes how many operations may begin within a stretch of time, at once.
  ///
  /// What has begun under an earlier rate counts, what began without a rate does not. Where the count grows together
  /// with the stretch, the queue no longer knows all that has begun in it; it then assumes that the earlier rate was made full
  /// use of, so that the new one holds. Does not suspend for longer than a turn of the queue. Without effect on ``main``.
  ///
  /// - Parameter rate: Nil lets any number begin.
  public func setStartRate(_ rate: OperationStartRate?) {
    if !isMain { process(.startRateChanged(rate)) }
  }

  /// Starts nothing for a time, and then resumes by itself; what executes is left alone.
  ///
  /// The last call counts, whether its time is up later or sooner; a queue that is suspended already gets a time.
  /// ``resume()`` ends it, and so does ``suspend()``, which suspends without a time. The time passes on the queue's clock, from the
  /// call on. Everything else is as with ``suspend()``: nothing leaves meanwhile, not even what is cancelled, and the end of a
  /// scope resumes its queue. Without effect on ``main``.
  ///
  /// A body may call it, to have its queue rest after a warning of a server. The time does not keep the queue: one that nobody
  /// holds and that is empty is freed. On the continuous clock the runtime keeps the timer of a time that was cut short until it would
  /// have been up, in up to 2 kB; that of a start rate for which nothing waits any more, too.
  ///
  /// - Parameter duration: How long. With zero, or anything below, the queue resumes at once.
  public func suspend(for duration: Duration) {
    if !isMain { process(duration > .zero ? .suspendedFor(duration) : .resumed) }
  }

  /// What tells the time to the queue and to its child tasks.
  ///
  /// Made with the queue where that has a start rate from the start, otherwise when it is first needed.
  nonisolated var queueClock: QueueClock {
    if let initialQueueClock { return initialQueueClock }
    if let known = lazyQueueClock.withLock({ $0 }) { return known }
    // Not under the lock, since the clock is the user's.
    let made = QueueClock(clock)
    return lazyQueueClock.withLock { lazy in
      let first = lazy ?? made
      lazy = first
      return first
    }
  }

  /// The time, where a start rate has counted an operation, and may count the next one of the batch.
  ///
  /// Not to be called under a lock, since the clock is the user's.
  nonisolated func time(ifCounted item: WorkItem) -> Duration? {
    item.startTime != nil && shared.mayCountStarts ? queueClock.elapsed : nil
  }

  /// Sets the queue's timer, or cancels it.
  func perform(_ action: QueueTimeStateMachine.TimerAction) {
    switch action {
    case .keep: break
    case .cancel:
      timer?.cancel()
      timer = nil
    case .set(let alarm):
      timer?.cancel()
      timer = state.time.map { startTimer(for: alarm, on: $0.clock) }
    }
  }

  /// Starts the task that sleeps until the queue has something to do: one at most, whatever waits.
  ///
  /// It is unstructured, since the queue's runner ends where nothing runs, and it does not hold the queue. It is
  /// detached, since the task of a body may take the turn that sets the timer: its task-local values would hold the
  /// operation and its queue for as long as the timer sleeps. Under an executor it runs there, so that programs under a
  /// seeded one repeat.
  private nonisolated func startTimer(
    for alarm: QueueTimeStateMachine.Alarm,
    on clock: QueueClock
  ) -> Task<Void, Never> {
    let purpose: SleepPurpose =
      switch alarm.reason {
      case .startRate: .startRate(queue: "\"\(name)\"")
      case .suspension: .suspension(queue: "\"\(name)\"")
      }
    let sleep: @Sendable () async -> Void = { [weak self] in
      try? await clock.sleep(until: alarm.time, purpose: purpose)
      // If the timer was cancelled, another one is set, or none is needed. If the clock has ended the sleep with an error, the
      // queue looks at the time, and sets another timer.
      if Task.isCancelled { return }
      self?.timerEnded(alarm.number)
    }
    guard let timerExecutor else { return Task.detached(priority: defaults.priority, operation: sleep) }
    return Task.detached(executorPreference: timerExecutor, priority: defaults.priority, operation: sleep)
  }

  private nonisolated func timerEnded(_ number: Int) {
    perform(shared.post(.timerEnded(number), need: .turn))
  }

  /// An operation that was chosen does not run: the start rate does not count it.
  ///
  /// The turn of its finish, or the one that puts it back, applies that.
  nonisolated func leavesUnrun(_ item: WorkItem) {
    if let time = item.startTime { _ = shared.post(.leftUnrun(time), need: .nothing) }
  }
}
