import Synchronization

// When the queue takes no more, and when it is over.
extension QueueSharedState {
  /// Whether the queue takes no more operations; without the lock.
  var isClosed: Bool { refusesAdditions.load(ordering: .acquiring) }

  /// The queue takes no more operations from now on.
  func close() {
    let isOver = state.withLock { state in
      state.closing.close()
      refusesAdditions.store(true, ordering: .releasing)
      return state.isOver
    }
    if isOver { end() }
  }

  /// The queue is over, or freed: the sequences end.
  func end() {
    for channel in state.withLock({ $0.readerList.removeAll() }) { channel.end() }
  }

  // MARK: Several operations

  /// Whether operations are about to be posted together.
  var isAdding: Bool { state.withLock { $0.closing.isAdding } }

  /// Operations are about to be assigned to the queue one by one, and posted together.
  ///
  /// Example: X and many others are assigned to a queue, and another queue refuses X, since it is in a queue. Then the first
  /// one is closed. If it did not take them, X would be in no queue, though nobody has refused to run it.
  ///
  /// - Returns: Whether the queue takes them; then they are posted, or ``endAdding()`` is called.
  func beginAdding() -> Bool { state.withLock { $0.closing.beginAdding() } }

  /// There were none that could be added.
  func endAdding() -> Mailbox.WakeAction {
    let (action, isOver) = state.withLock { state -> (Mailbox.WakeAction, Bool) in
      state.closing.endAdding()
      guard state.mailbox.hasRunner else { return (.nothing, state.isOver) }
      // That of a scope may wait for this.
      hasNews.store(true, ordering: .releasing)
      return (state.mailbox.requestTurn(), state.isOver)
    }
    if isOver { end() }
    return action
  }

  // MARK: Scopes

  /// The runner of a scope ends for good, and the queue with it.
  ///
  /// - Returns: Whether it does; false if there are events, or will be.
  func endScope() -> Bool {
    let hasEnded = state.withLock { state in
      guard !state.closing.isAdding, state.mailbox.close() else { return false }
      // Everything has finished, so the queue is over.
      state.closing.close()
      refusesAdditions.store(true, ordering: .releasing)
      return true
    }
    if hasEnded { end() }
    return hasEnded
  }
}
