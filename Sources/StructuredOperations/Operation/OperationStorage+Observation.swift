// How observers are told of events: one at a time, by whichever thread comes first, and outside of all locks.
extension OperationStorage {
  /// Delivers what has come up, unless another thread is delivering, which then delivers this, too.
  ///
  /// - Parameter isAwaited: Whether everything has to have been delivered on return.
  func deliverEvents(isAwaited: Bool) {
    switch modify({ $0.hasEventObservers ? $0.observation.delivery.begin() : .nothing }) {
    case .nothing: break
    case .deliver: deliverAll()
    case .leave: if isAwaited { waitForDelivery() }
    }
  }

  /// Delivers what was held back since the operation was enqueued.
  func deliverHeldEvents() {
    guard isEverObserved else { return }
    switch modify({ $0.hasEventObservers ? $0.observation.delivery.begin(isHolder: true) : .nothing }) {
    case .nothing, .leave: break
    case .deliver: deliverAll()
    }
  }

  private func deliverAll() {
    DeliveringThread.perform {
      while true {
        switch modify({ $0.nextEvent() }) {
        case .deliver(let event, let observers): for observer in observers { observer.observe(event) }
        case .end(let waiters, _):
          #if !os(WASI)
            for waiter in waiters { waiter.wake() }
          #endif
          return
        }
      }
    }
  }

  /// Blocks the thread until another one has delivered everything.
  ///
  /// Not where it delivers an event itself: an observer that has a job run on its thread, which then begins or ends an
  /// operation, could wait for itself.
  private func waitForDelivery() {
    #if !os(WASI)
      if DeliveringThread.isCurrent { return }
      let waiter = ThreadParker()
      guard modify({ $0.hasEventObservers && $0.observation.delivery.wait(waiter) }) else { return }
      while !waiter.park(microseconds: 1_000_000) {}
    #endif
  }

  // MARK: Waits of the body

  /// The body's own task begins to wait, and has its slot still.
  func waitBegan(_ wait: BodyWait) {
    if isEverObserved, modify({ $0.tellWaitBegan(wait) }) { deliverEvents(isAwaited: true) }
  }

  /// The body's own task has waited, and has its slot again.
  func waitEnded(_ wait: BodyWait) {
    if isEverObserved, modify({ $0.tellWaitEnded(wait) }) { deliverEvents(isAwaited: true) }
  }
}

/// Tells whether the calling thread delivers an event.
private enum DeliveringThread {
  #if os(WASI)
    static func perform(_ body: () -> Void) { body() }
  #else
    /// Not nil while the thread delivers.
    private static let marker = ThreadLocalPointer()

    static var isCurrent: Bool { marker.value != nil }

    static func perform(_ body: () -> Void) {
      let before = marker.value
      marker.value = UnsafeMutableRawPointer(bitPattern: 1)
      body()
      marker.value = before
    }
  #endif
}
