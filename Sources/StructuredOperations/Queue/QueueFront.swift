import Synchronization

/// The part of a queue that answers without a turn: the mailbox, the hand, the snapshot and its observers, behind one
/// lock.
final class QueueFront: Sendable {
  typealias Mailbox = QueueMailbox<QueueMail, UnsafeContinuation<Void, Never>>
  typealias Hand = QueueHand<OperationCore, QueueLane>
  typealias Wakeups = [ChangeChannel<QueueSnapshot>.Reader]

  private struct State: Sendable {
    var mailbox: Mailbox
    var hand = Hand()
    /// Counts operations from the moment at which they are posted.
    var snapshot: QueueSnapshot
    var observers = ObserverList<QueueSnapshot>()
    /// Whether the queue's scope was cancelled, so that operations leave as soon as they are there.
    var isCancelled = false

    /// Changes the snapshot.
    ///
    /// - Returns: The readers to resume, once the caller has left the lock.
    mutating func change(_ body: (inout QueueSnapshot) -> Void) -> Wakeups {
      guard !observers.isEmpty else {
        body(&snapshot)
        return []
      }
      let before = snapshot
      body(&snapshot)
      return before == snapshot ? [] : observers.offer(snapshot, isLast: false)
    }

    /// The slot of an operation that has finished goes to another one.
    mutating func exchange(_ card: Hand.Card?, isClaimed: Bool = false) -> Exchange? {
      guard let card else { return nil }
      let readers = change { snapshot in
        snapshot.operationCount -= 1
        snapshot.completedCount += 1
      }
      return Exchange(card: card, isClaimed: isClaimed, readers: readers)
    }
  }

  private let state: Guarded<State>
  /// Whether there may be mail, or a hand to take back: a turn without any does without the lock.
  private let hasNews = Atomic(false)

  init(limit: Int, isSuspended: Bool, hasRunner: Bool) {
    let mailbox = Mailbox(
      hasRunner: hasRunner, hasFreeSlot: !isSuspended && limit != 0, isSuspended: isSuspended)
    let snapshot = QueueSnapshot(isSuspended: isSuspended, maxConcurrentOperationCount: limit)
    state = Guarded(State(mailbox: mailbox, snapshot: snapshot))
  }

  var snapshot: QueueSnapshot { state.withLock { $0.snapshot } }

  func states() -> StateSequence<QueueSnapshot> {
    let channel = state.withLock { state in
      let channel = ChangeChannel(first: state.snapshot, isEnded: false, retention: .latest)
      state.observers.append(channel)
      return channel
    }
    return StateSequence(channel)
  }

  /// The queue is gone.
  func end() {
    for channel in state.withLock({ $0.observers.removeAll() }) { channel.end() }
  }

  // MARK: Mail

  func post(_ mail: QueueMail, need: Mailbox.Need) -> Mailbox.WakeAction {
    state.withLock { state in
      hasNews.store(true, ordering: .releasing)
      state.hand.posted(nil)
      return state.mailbox.post(mail, need: need)
    }
  }

  /// Posts operations, all of which the next turn gets at once.
  ///
  /// - Parameters:
  ///   - count: How many they are.
  ///   - priority: The highest one of them; nil where some do not wait to be chosen.
  func post(_ mail: QueueMail, count: Int, priority: QueuePriority?, need: Mailbox.Need) -> Mailbox.WakeAction {
    let (action, readers) = state.withLock { state in
      hasNews.store(true, ordering: .releasing)
      state.hand.posted(priority)
      let action = state.mailbox.post(mail, need: state.isCancelled ? .turn : need)
      if case .refuse = action { return (action, Wakeups()) }
      return (action, state.change { $0.operationCount += count })
    }
    for reader in readers { reader.resume() }
    return action
  }

  /// What a turn begins with.
  struct News: Sendable {
    let hand: Hand.Rest
    let mail: [QueueMail]
  }

  func collect() -> News? {
    guard hasNews.load(ordering: .acquiring) else { return nil }
    return state.withLock { state in
      hasNews.store(false, ordering: .relaxed)
      return News(hand: state.hand.takeBack(), mail: state.mailbox.collect())
    }
  }

  /// What a child task gets for an operation that has finished.
  struct Exchange: Sendable {
    fileprivate let card: Hand.Card
    fileprivate let isClaimed: Bool
    fileprivate let readers: Wakeups

    /// Tells the observers, outside of locks.
    ///
    /// - Returns: What the child task goes on with.
    func next() -> QueueTurn.Assignment {
      for reader in readers { reader.resume() }
      return QueueTurn.Assignment(id: card.id, core: card.work, isClaimed: isClaimed)
    }
  }

  /// An operation has finished: the queue lets go of it, and its child task goes on with the next one of the hand.
  ///
  /// May be called under the operation's lock.
  ///
  /// - Returns: Nil where nothing has happened, and the child task has to take a turn.
  func exchange(_ finished: Int, in lane: QueueLane) -> Exchange? {
    state.withLock { state in state.exchange(state.hand.exchange(finished, in: lane)) }
  }

  /// An operation has finished, for which alone another one of its child task's lane has waited: that has its slot now.
  ///
  /// Called under the other one's lock, which is claimed in the same step: any turn comes before that, or after.
  ///
  /// - Returns: Nil where nothing has happened.
  func handOver(_ finished: Int, to heir: Hand.Card) -> Exchange? {
    state.withLock { state in
      state.hand.handOver(finished, to: heir.id) ? state.exchange(heir, isClaimed: true) : nil
    }
  }

  /// An operation has finished, and others of the queue have become ready by that.
  ///
  /// The child task goes on with the next one of the hand, which the others do not come before.
  ///
  /// - Returns: Nil where nothing has happened, and the child task has to take a turn.
  func exchange(
    _ finished: Int,
    in lane: QueueLane,
    releasing notices: ShortList<OperationCore.Notice>
  ) -> Exchange? {
    state.withLock { state in
      let isUnaffected = notices.allSatisfy { notice in
        let place = QueuePlace(priority: notice.priority, rank: notice.rank)
        return notice.standing == .ready && notice.entry != nil && state.hand.isUnaffected(by: place)
      }
      guard isUnaffected, let card = state.hand.exchange(finished, in: lane) else {
        state.hand.becameReady()
        return nil
      }
      // There are cards only where all slots are taken, so nobody has to be woken.
      for notice in notices { _ = state.mailbox.post(.change(notice.core, .standing), need: .nothing) }
      return state.exchange(card)
    }
  }

  /// What is posted from now on needs a turn even where all slots are taken.
  func cancel() { state.withLock { $0.isCancelled = true } }

  func wake() -> Mailbox.WakeAction { state.withLock { $0.mailbox.wake() } }

  func wakeSleeper() { state.withLock { $0.mailbox.wakeSleeper() }?.resume() }

  func sleep(_ sleeper: UnsafeContinuation<Void, Never>) -> Bool { state.withLock { $0.mailbox.sleep(sleeper) } }

  func stop() -> Bool { state.withLock { $0.mailbox.stop() } }

  func close() -> Bool { state.withLock { $0.mailbox.close() } }

  /// Publishes what a turn has come to.
  ///
  /// - Returns: Whether mail was posted meanwhile, which the next turn collects; the caller sees to it that there is
  ///   one.
  ///
  /// - Parameter hand: What was chosen ahead.
  func turnEnded(
    _ scheduler: borrowing QueueScheduler<OperationCore>,
    finishedCount: Int,
    hand: QueueState.ChosenAhead?
  ) -> Bool {
    let (hasFreeSlot, isSuspended) = (scheduler.hasFreeSlot, scheduler.isSuspended)
    let isVacant = scheduler.isVacant
    let (limit, executingCount) = (scheduler.limit, scheduler.executingOperationCount)
    let (hasMoreMail, readers) = state.withLock { state in
      let readers = state.change { snapshot in
        snapshot.operationCount -= finishedCount
        snapshot.completedCount += finishedCount
        snapshot.executingCount = executingCount
        snapshot.isSuspended = isSuspended
        snapshot.maxConcurrentOperationCount = limit
      }
      if let hand {
        hasNews.store(true, ordering: .releasing)
        state.hand.deal(hand.cards, for: hand.lane, last: hand.last)
      } else if isVacant, state.mailbox.isEmpty {
        // The next turn takes that back before it chooses.
        hasNews.store(true, ordering: .releasing)
        state.hand.leaveVacant()
      }
      return (state.mailbox.turnEnded(hasFreeSlot: hasFreeSlot, isSuspended: isSuspended), readers)
    }
    for reader in readers { reader.resume() }
    return hasMoreMail
  }
}
