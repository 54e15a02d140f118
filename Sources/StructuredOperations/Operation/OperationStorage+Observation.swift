// How observers are told of events: one at a time, by whichever thread comes first, and outside of all locks.
extension OperationStorage {
  /// Delivers events, or leaves them to the thread that is delivering, and waits for that where the change that they tell
  /// has an effect only then.
  func deliver(_ action: borrowing EventObservation.EventAction) {
    switch action {
    case .nothing: break
    case .deliver(let batch):
      DeliveringThread.perform {
        batch.deliver()
        deliverRest()
      }
    case .leave(let isAwaited): if isAwaited { waitForDelivery() }
    }
  }

  /// Delivers what was held back since the operation was enqueued.
  func deliverHeldEvents() {
    guard isEverObserved, modify({ $0.changeObservation { $0.release() } }) == true else { return }
    deliverReleasedEvents()
  }

  /// Delivers events that are held back no longer.
  func deliverReleasedEvents() {
    DeliveringThread.perform { deliverRest() }
  }

  /// Delivers what has come up meanwhile.
  private func deliverRest() {
    while true {
      switch modify({ $0.nextEvent() }) {
      case .deliver(let event, let audience): audience.observe(event)
      case .end(let waiters, _):
        #if !os(WASI)
          for waiter in waiters { waiter.wake() }
        #endif
        return
      }
    }
  }

  /// Blocks the thread until another one has delivered everything.
  ///
  /// Not where it delivers events itself, or is about to: an observer, or an executor that runs jobs where they are
  /// enqueued, may have the job run on this thread that begins or ends an operation. It would wait for itself.
  private func waitForDelivery() {
    #if !os(WASI)
      if DeliveringThread.isCurrent { return }
      let waiter = ThreadParker()
      guard modify({ $0.changeObservation { $0.awaitDelivery(waiter) } }) == true else { return }
      while !waiter.park(microseconds: 1_000_000) {}
    #endif
  }

  // MARK: Waits of the body

  /// The body's own task begins to wait, and has its slot still.
  func waitBegan(_ wait: BodyWait) {
    if isEverObserved { deliver(modify { $0.tellWaitBegan(wait) }) }
  }

  /// The body's own task has waited, and has its slot again.
  func waitEnded(_ wait: BodyWait) {
    if isEverObserved { deliver(modify { $0.tellWaitEnded(wait) }) }
  }
}
