import Synchronization

/// The part of a queue that works without a turn of its actor: the mailbox, the prefetched batch, the snapshot and its
/// readers, behind one lock.
///
/// Its lock may be taken under an operation's; it takes only those of the readers' channels and of ``LimitTable`` itself.
final class QueueSharedState: CompletionBlockRunner {
  typealias Sleeper = UnsafeContinuation<Void, Never>
  typealias Mailbox = QueueMailbox<QueueEvent, Sleeper>
  typealias Batch = PrefetchedBatch<OperationStorage, WorkerTraits.ID>
  typealias Readers = [ChangeChannel<QueueSnapshot>.Reader]

  let state: Guarded<State>
  /// Whether there may be events, or a batch: without any, those who ask for them do not take the lock.
  ///
  /// True wherever a turn is due: without, nobody would take it, and the runner could not sleep either.
  let hasNews = Atomic(false)
  /// Whether the batch may have items: without any, those that have none to join it do not take the lock.
  private let hasItems = Atomic(false)
  /// Whether the last batch was filled while others were in line for their concurrency limits.
  private let hasLine = Atomic(false)
  /// Whether the last batch was filled under a start rate: without one, those who take from it do not ask the clock.
  private let countsStarts = Atomic(false)
  /// The number of the last batch.
  private let lastBatch = Atomic(0)
  /// Set once the queue is closed.
  let refusesAdditions = Atomic(false)

  /// What the names of the queue's tasks begin with: its own, and an underscore.
  private let taskNamePrefix: String
  private let taskCount = Atomic(0)
  private let defaults: WorkerTraits.Defaults

  init(name: String, limit: Int, isSuspended: Bool, defaults: WorkerTraits.Defaults, hasRunner: Bool) {
    taskNamePrefix = name + "_"
    self.defaults = defaults
    let mailbox = Mailbox(
      hasRunner: hasRunner, hasFreeSlot: !isSuspended && limit != 0, isSuspended: isSuspended)
    let snapshot = QueueSnapshot(isSuspended: isSuspended, maxConcurrentOperationCount: limit)
    state = Guarded(State(mailbox: mailbox, snapshot: snapshot))
  }

  var snapshot: QueueSnapshot { state.withLock { $0.snapshot } }

  /// Whether nothing is in the queue, nor in the mailbox on its way there.
  var isEmpty: Bool { state.withLock { $0.isEmpty } }

  /// Whether the last turn has left a slot.
  var hasFreeSlot: Bool { state.withLock { $0.mailbox.hasFreeSlot } }

  /// Whether an addition has a turn taken, which has not come.
  var isRunnerReplaced: Bool { state.withLock { $0.mailbox.isRunnerReplaced } }

  var hasBarriers: Bool { state.withLock { $0.closing.hasBarriers } }

  /// Whether a start rate may count what a worker takes from the batch; without the lock.
  var mayCountStarts: Bool { countsStarts.load(ordering: .relaxed) }

  /// Where everything of the queue runs; nil if each body says so itself.
  var executor: (any TaskExecutor)? { defaults.executor }

  func nextTaskName() -> String { taskNamePrefix + String(taskCount.add(1, ordering: .relaxed).newValue) }

  /// The number of the last batch, for ``joinAndTakeNext(after:_:_:runnable:since:for:at:)``; without the lock.
  var batchNumber: Int { lastBatch.load(ordering: .acquiring) }

  /// Whether there may be a batch, which others may join; without the lock.
  var mayHaveBatch: Bool { hasNews.load(ordering: .acquiring) }

  /// Whether others were in line for their concurrency limits when the batch was filled; without the lock.
  ///
  /// A turn may have put some in line since: who takes from the batch without asking the line looks again, under the lock.
  var mayHaveLine: Bool { hasLine.load(ordering: .relaxed) }

  /// Whether there may be a batch with something in it; without the lock.
  var mayHaveNext: Bool { hasItems.load(ordering: .acquiring) }

  /// Whether something cannot wait for a turn that another task takes.
  var isTurnDue: Bool { mayHaveBatch && state.withLock { $0.mailbox.isUrgent } }

  /// What the next turn will apply.
  var pendingEvents: [QueueEvent] { state.withLock { $0.mailbox.events } }

  func states() -> StateSequence<QueueSnapshot> {
    let channel = state.withLock { state in
      let channel = ChangeChannel(first: state.snapshot, isEnded: state.isOver, retention: .latest)
      if !state.isOver { state.readerList.append(channel) }
      return channel
    }
    return StateSequence(channel)
  }

  // MARK: Events

  func post(_ event: QueueEvent, need: Mailbox.Need) -> Mailbox.WakeAction {
    state.withLock { state in
      hasNews.store(true, ordering: .releasing)
      state.batch.posted(nil)
      return state.mailbox.post(event, need: need)
    }
  }

  /// Posts a change of an operation, unless the mailbox holds the same one, and that will do.
  func post(_ change: OperationChange, of storage: OperationStorage, need: Mailbox.Need) -> Mailbox.WakeAction {
    state.withLock { state in
      let eventCount = state.mailbox.events.count
      switch state.pendingChanges.post(change, of: ObjectIdentifier(storage), need: need, eventCount: eventCount) {
      case .nothing: return .nothing
      case .post: break
      case .purgeAndPost: state.mailbox.removeReplacedEvents(\.movedOperation)
      }
      hasNews.store(true, ordering: .releasing)
      state.batch.posted(nil)
      return state.mailbox.post(.changed(storage, change), need: need)
    }
  }

  /// What is left to do once something was posted.
  struct Posting: Sendable {
    let action: Mailbox.WakeAction
    fileprivate let readers: Readers

    var isRefused: Bool { if case .refuse = action { true } else { false } }

    /// Resumes the readers of snapshots; not under a lock.
    func resumeReaders() { for reader in readers { reader.resume() } }
  }

  /// Posts operations, all of which the next turn gets at once; may be called under an operation's lock.
  ///
  /// - Parameters:
  ///   - count: How many they are.
  ///   - priority: The highest one of them; nil if some are skipped.
  ///   - replacesRunner: Whether the poster can have a turn taken, where there is no runner.
  ///   - endsAdding: Whether ``beginAdding()`` has come before, so that the queue takes them.
  func post(
    _ event: QueueEvent,
    count: Int,
    priority: QueuePriority?,
    need: Mailbox.Need,
    replacesRunner: Bool = false,
    endsAdding: Bool = false
  ) -> Posting {
    state.withLock { state in
      if endsAdding {
        state.closing.endAdding()
      } else if state.closing.isClosed {
        return Posting(action: .refuse, readers: [])
      }
      hasNews.store(true, ordering: .releasing)
      state.batch.posted(priority)
      let action = state.mailbox.postAddition(event, need: need, replacesRunner: replacesRunner)
      if case .refuse = action { return Posting(action: action, readers: []) }
      return Posting(action: action, readers: state.change { $0.operationCount += count })
    }
  }

  /// Posts a barrier.
  func post(barrier event: QueueEvent) -> Mailbox.WakeAction {
    state.withLock { state in
      if state.closing.isClosed { return .refuse }
      hasNews.store(true, ordering: .releasing)
      state.batch.posted(nil)
      state.closing.barrierAdded()
      return state.mailbox.postAddition(event, need: .slot)
    }
  }

  /// The queue's scope is cancelled; a turn has to follow.
  func cancel() { state.withLock { $0.mailbox.cancel() } }

  // MARK: Turns

  /// What a turn begins with.
  struct TurnInput: Sendable {
    let batch: Batch.Remainder
    var events: [QueueEvent]
  }

  func collect() -> TurnInput? {
    guard hasNews.load(ordering: .acquiring) else { return nil }
    return state.withLock { state in
      hasNews.store(false, ordering: .relaxed)
      if hasItems.load(ordering: .relaxed) { hasItems.store(false, ordering: .relaxed) }
      state.pendingChanges.collect()
      return TurnInput(batch: state.batch.takeBack(), events: state.mailbox.collect())
    }
  }

  /// How a turn has left the queue.
  struct TurnEnd: Sendable {
    /// Whether events were posted meanwhile that cannot wait; then the caller sees to it that there is another turn.
    let hasMoreEvents: Bool
    /// Whether nothing is in the queue, nor in the mailbox on its way there.
    let isQueueEmpty: Bool
  }

  /// Publishes what a turn has decided.
  ///
  /// - Parameters:
  ///   - outcomes: How the operations ended that finished in the turn.
  ///   - finishedBarriers: How many barriers finished in it.
  ///   - isScopeCancelled: Whether the queue's scope was cancelled, by this turn or before.
  ///   - batch: What was chosen ahead.
  func turnEnded(
    _ scheduler: borrowing QueueScheduler<OperationStorage>,
    outcomes: OutcomeCounts,
    finishedBarriers: Int,
    isScopeCancelled: Bool = false,
    batch: Batch.Content?
  ) -> TurnEnd {
    // Where the start rate holds something, the timer brings the turn.
    let (hasFreeSlot, isSuspended) = (scheduler.hasFreeSlot && !scheduler.startsAreHeld, scheduler.isSuspended)
    let limit = scheduler.maxConcurrentOperationCount
    let (executingCount, waitingCount) = (scheduler.executingOperationCount, scheduler.waitingOperationCount)
    let (end, readers, isOver) = state.withLock { state in
      let readers = state.change { snapshot in
        snapshot.operationCount -= outcomes.total
        snapshot.count(outcomes)
        snapshot.executingCount = executingCount
        snapshot.waitingCount = waitingCount
        snapshot.isSuspended = isSuspended
        snapshot.maxConcurrentOperationCount = limit
      }
      if let batch {
        hasNews.store(true, ordering: .releasing)
        state.batch.fill(batch)
        hasLine.store(batch.isBesideLine, ordering: .releasing)
        hasItems.store(!batch.items.isEmpty || !batch.inLine.isEmpty, ordering: .releasing)
        lastBatch.store(state.batch.number, ordering: .releasing)
      }
      let counts = batch?.countsStartsSince != nil
      if counts != countsStarts.load(ordering: .relaxed) { countsStarts.store(counts, ordering: .relaxed) }
      if finishedBarriers > 0 { state.closing.barriersFinished(finishedBarriers) }
      if isScopeCancelled { state.mailbox.cancel() }
      let hasMoreEvents = state.mailbox.turnEnded(hasFreeSlot: hasFreeSlot, isSuspended: isSuspended)
      return (TurnEnd(hasMoreEvents: hasMoreEvents, isQueueEmpty: state.isEmpty), readers, state.isOver)
    }
    for reader in readers { reader.resume() }
    if isOver { self.end() }
    return end
  }

  /// What the next turn will begin with, as far as that is known now; it stays where it is.
  var pendingInput: TurnInput { state.withLock { TurnInput(batch: $0.batch.remainder, events: $0.mailbox.events) } }

  // MARK: Between turns

  /// An operation has finished: the queue lets it go, and its worker runs the next one of the batch.
  ///
  /// May be called under the operation's lock.
  ///
  /// Asks again, under the lock, whether others are in line for limits. Example: A ends, and finds nobody in line. Before it
  /// comes to the lock, a turn puts B in line, ahead of what it chooses, and the limit of B has room again. Its slot is for B.
  ///
  /// - Parameter time: The time, where a start rate has counted the operation.
  /// - Returns: Nil if nothing has happened, and the worker has to take a turn.
  func takeNext(
    after finished: Int,
    _ outcome: OutcomeKind,
    for traits: WorkerTraits.ID,
    at time: Duration? = nil
  ) -> Next? {
    state.withLock { $0.batch.isBesideLine ? nil : $0.takeNext(after: finished, outcome, for: traits, at: time) }
  }

  /// The same for an operation that has concurrency limits, which are given back, or where others are in line for theirs.
  ///
  /// Not inlined, since few operations have limits.
  @inline(never)
  func takeNext(
    after finished: Int,
    _ outcome: OutcomeKind,
    givingBack held: LimitTable.DemandID?,
    of queue: any LimitOwner,
    for traits: WorkerTraits.ID,
    at time: Duration?
  ) -> Next? {
    state.withLock { $0.takeNext(after: finished, outcome, givingBack: held, of: queue, for: traits, at: time) }
  }

  /// The same for an operation whose end has made others of this queue ready.
  ///
  /// Example: A and B execute in a queue of two slots, and D to G are chosen ahead. A ends; C and H, which depend on it, are
  /// ready. C was added before D, and joins what was chosen ahead; the worker goes on with it. H was added last, and others
  /// that are ready come before it: the turn after G finds what was posted about it.
  ///
  /// - Parameters:
  ///   - changes: Each of an operation of this queue that is ready.
  ///   - runnable: Which of them the worker could run.
  ///   - number: ``batchNumber`` before they became ready.
  func joinAndTakeNext(
    after finished: Int,
    _ outcome: OutcomeKind,
    _ changes: ShortList<OperationStorage.ReadinessChange>,
    runnable: SmallIndexSet,
    since number: Int,
    for traits: WorkerTraits.ID,
    at time: Duration? = nil
  ) -> (next: Next, action: Mailbox.WakeAction)? {
    state.withLock { state in
      if state.batch.isBesideLine { return nil }
      let next = state.batch.joinAndTakeNext(after: finished, changes.count, since: number, for: traits, at: time) {
        index in
        guard let entry = changes.read(at: index, \.ready) else {
          preconditionFailure("a dependent arrived that is not ready")
        }
        return Batch.Arrival(entry: entry, isRunnable: runnable.contains(index))
      } work: { index in
        changes.read(at: index, \.storage)
      }
      guard let next else { return nil }
      if !state.batch.isEmpty { hasItems.store(true, ordering: .releasing) }
      if !next.late.isEmpty {
        for index in changes.indices where next.late.contains(index) { state.postReadiness(of: changes[index].storage) }
      }
      let action = state.batch.needsTurn ? state.mailbox.requestTurn() : .nothing
      return (state.replaced(by: next.item, outcome), action)
    }
  }

  /// An operation has finished from which nothing follows, and leaves its slot free: the runner, which is awake, takes a turn, and has
  /// the queue let it go then.
  ///
  /// - Returns: False if nothing has happened, and the worker has to take a turn.
  func leaveSlot(after finished: Int, _ outcome: OutcomeKind) -> Bool {
    guard let readers = state.withLock({ $0.leaveSlot(after: finished, outcome) }) else { return false }
    for reader in readers { reader.resume() }
    return true
  }

  // MARK: The runner

  /// Runs a completion block that was set after the end of its operation, if the queue runs anything.
  ///
  /// Without a runner it gets an unstructured task of its own: the queue is of no scope then, which would wait for it.
  func run(_ call: CompletionBlock.Call) -> Bool {
    let (action, isExecuting) = state.withLock { state -> (Mailbox.WakeAction, Bool) in
      guard state.mailbox.hasRunner else {
        return (.refuse, state.snapshot.executingCount > 0 || state.closing.hasBarriers)
      }
      hasNews.store(true, ordering: .releasing)
      state.batch.posted(nil)
      return (state.mailbox.post(.completionBlockAdded(call), need: .turn), true)
    }
    switch action {
    case .refuse where isExecuting:
      Task.detached(name: nextTaskName(), executorPreference: executor, priority: defaults.priority) {
        await call.run()
      }
    case .resume(let sleeper): sleeper.resume()
    case .nothing, .refuse, .startRunner, .takeTurn: break
    }
    return isExecuting
  }

  func wake() -> Mailbox.WakeAction { state.withLock { $0.mailbox.wake() } }

  func wakeSleeper() { state.withLock { $0.mailbox.wakeSleeper() }?.resume() }

  func sleep(_ sleeper: Sleeper) -> Bool { state.withLock { $0.mailbox.sleep(sleeper) } }

  func stop() -> Bool { state.withLock { $0.mailbox.stop() } }
}
