extension OperationCore {
  /// Puts the operation into a queue.
  ///
  /// The queue takes it in later, by ``admit(as:)``; until then it is told of no change, and reads none.
  func enqueue(in host: any OperationHost) -> OperationLifecycle.EnqueueAnswer {
    change { state in
      let answer = state.lifecycle.enqueue()
      if answer == .enqueued { state.host = host }
      return answer
    }
  }

  /// Takes ``enqueue(in:)`` back before the queue has taken the operation in.
  func withdraw() {
    // The queue is returned to be freed where the lock is no longer held.
    _ = change { state -> (any OperationHost)? in
      state.lifecycle.withdraw()
      return state.host.take()
    }
  }

  var priorityAndStanding: (QueuePriority, OperationStanding) {
    read { ($0.lifecycle.queuePriority, $0.lifecycle.standing) }
  }

  func admit(as entry: Int) {
    change { $0.entry = entry }
  }

  /// How the operation stands, for its queue; nil where it has not been taken in yet, was chosen, or has finished.
  var entryAndStanding: (entry: Int, standing: OperationStanding)? {
    read { state in
      guard state.lifecycle.isOpen, let entry = state.entry else { return nil }
      return (entry, state.lifecycle.standing)
    }
  }

  /// Chooses the operation, on behalf of its queue.
  func claim() -> OperationStanding {
    change { $0.lifecycle.claim() }
  }
}
