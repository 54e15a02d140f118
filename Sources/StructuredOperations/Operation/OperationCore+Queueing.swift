extension OperationCore {
  /// Puts the operation into a queue.
  ///
  /// The queue takes it in later, by ``admit(_:)``; until then it is told of no change, and reads none.
  ///
  /// - Returns: Whether it may; and how it stands.
  func enqueue(
    _ operation: any OperationProtocol,
    in host: any OperationHost
  ) -> (answer: OperationLifecycle.EnqueueAnswer, standing: OperationStanding, priority: QueuePriority) {
    change { state in
      let answer = state.lifecycle.enqueue()
      if answer == .enqueued { state.membership = Membership(operation: operation, host: host) }
      return (answer, state.lifecycle.standing, state.rankedPriority)
    }
  }

  /// Takes ``enqueue(_:in:)`` back before the queue has taken the operation in.
  func withdraw() {
    // The membership is returned to be freed where the lock is no longer held.
    _ = change { state -> Membership? in
      state.lifecycle.withdraw()
      return state.membership.take()
    }
  }

  /// Takes the operation in, on behalf of its queue, which names it.
  func admit(_ name: (QueuePriority, OperationStanding) -> (entry: Int, rank: Int)) {
    change { state in
      let place = name(state.rankedPriority, state.lifecycle.standing)
      if state.membership != nil { (state.entry, state.rank) = place }
    }
  }

  /// How the operation stands, for a queue; nil where that queue has not taken it in yet, or has it no more, where it
  /// was chosen, or has finished.
  func entryAndStanding(in host: any OperationHost) -> (entry: Int, standing: OperationStanding)? {
    read { state in
      guard state.lifecycle.isOpen, let membership = state.membership, membership.host === host,
        let entry = state.entry
      else { return nil }
      return (entry, state.lifecycle.standing)
    }
  }

  /// Whether the operation has neither been started nor belongs to a queue.
  var isIdle: Bool { read { $0.lifecycle.enqueueAnswer == .enqueued } }

  /// Where the operation stands among those of its queue.
  var rankedPriority: QueuePriority { read { $0.rankedPriority } }

  /// The queue's name for the operation; nil where that queue has not taken it in yet, or has it no more.
  func entry(in host: any OperationHost) -> Int? {
    read { state in
      guard let membership = state.membership, membership.host === host else { return nil }
      return state.entry
    }
  }

  /// How the operation stands, whether or not its queue has taken it in; nil where it was chosen or has finished.
  var openStanding: OperationStanding? { read { $0.lifecycle.openStanding } }

  /// The operation, while it is in a queue.
  var enqueuedOperation: (any OperationProtocol)? { read { $0.membership?.operation } }

  /// Chooses the operation to leave its queue, unless it stays after all.
  func claimDeparture() -> OperationStanding {
    change { $0.lifecycle.claimDeparture() }
  }

  /// Chooses the operation to run in the place of another, where it is ready still and in the queue under that name.
  ///
  /// - Parameter handOver: Has the queue give it the slot; called under the operation's lock.
  /// - Returns: What the queue gives; nil where nothing has happened.
  func claimAsHeir<Next: Sendable>(named id: Int, _ handOver: () -> Next?) -> Next? {
    change { state in
      guard state.lifecycle.isOpen, state.entry == id, state.lifecycle.standing == .ready, let next = handOver() else {
        return nil
      }
      _ = state.lifecycle.claim()
      return next
    }
  }

  /// Chooses the operation, on behalf of its queue.
  func claim() -> OperationStanding {
    change { $0.lifecycle.claim() }
  }
}
