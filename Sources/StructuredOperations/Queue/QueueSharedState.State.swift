extension QueueSharedState {
  /// What the lock guards.
  struct State: Sendable {
    var mailbox: Mailbox
    var batch = Batch()
    /// Counts operations from the moment at which they are posted.
    var snapshot: QueueSnapshot
    var readerList = ReaderList<QueueSnapshot>()
    var closing = QueueClosing()
    /// The changes in the mailbox.
    var pendingChanges = PendingChanges()

    /// Whether nothing is in the queue, nor in the mailbox on its way there.
    var isEmpty: Bool { closing.isEmpty(operationCount: snapshot.operationCount) }

    /// Whether the queue is closed and empty.
    var isOver: Bool { closing.isOver(operationCount: snapshot.operationCount) }

    @inline(__always)
    mutating func takeNext(
      after finished: Int,
      _ outcome: OutcomeKind,
      for traits: WorkerTraits.ID,
      at time: Duration?
    ) -> Next? {
      batch.takeNext(after: finished, for: traits, at: time).map { replaced(by: $0, outcome) }
    }

    /// An operation has finished, and an item of the batch has its slot.
    @inline(__always)
    mutating func replaced(by item: Batch.Item, _ outcome: OutcomeKind) -> Next {
      let readers = change { snapshot in
        snapshot.operationCount -= 1
        snapshot.count(outcome)
      }
      return Next(id: item.id, storage: item.work, startTime: batch.latestStart, readers: readers)
    }

    /// The same, where limits are given back or others are in line.
    mutating func takeNext(
      after finished: Int,
      _ outcome: OutcomeKind,
      givingBack held: LimitTable.DemandID?,
      of queue: any LimitOwner,
      for traits: WorkerTraits.ID,
      at time: Duration?
    ) -> Next? {
      let (successor, notices) = LimitTable.replace(held, of: queue) { demand, isContested in
        batch.successor(demand, isContested: isContested, for: traits, at: time, \.mayHaveLimits)
      }
      switch successor {
      case .unknown: return nil
      case .demand(let demand):
        var next = replaced(by: batch.takeNextInLine(demand, after: finished), outcome)
        next.limits = notices.isEmpty ? .taken : .takenAndTelling(Next.Notices(notices))
        return next
      case .other:
        guard var next = takeNext(after: finished, outcome, for: traits, at: time) else {
          preconditionFailure("what was known to be next is not")
        }
        if !notices.isEmpty { next.limits = .telling(Next.Notices(notices)) }
        return next
      }
    }

    /// An operation has finished, and leaves its slot free.
    mutating func leaveSlot(after finished: Int, _ outcome: OutcomeKind) -> Readers? {
      // The last one takes a turn itself: somebody may wait for the queue to be empty.
      guard snapshot.operationCount > 1, mailbox.mayLeaveToRunner, batch.leaveSlot(after: finished) else {
        return nil
      }
      guard case .nothing = mailbox.requestTurn() else { preconditionFailure("a runner that is awake was woken") }
      return change { snapshot in
        snapshot.operationCount -= 1
        snapshot.executingCount -= 1
        snapshot.count(outcome)
      }
    }

    /// Posts that an operation is ready, which comes after the batch.
    ///
    /// The mailbox may come to hold the same event once more, since this is no pending change; but no oftener. Before the
    /// operation could become ready again it has to be blocked, and that outdates the batch.
    mutating func postReadiness(of storage: OperationStorage) {
      let action = mailbox.post(.changed(storage, .readiness), need: .slot)
      guard case .nothing = action else { preconditionFailure("a batch was chosen though a slot was free") }
    }

    /// Changes the snapshot.
    ///
    /// - Returns: The readers to resume once the lock is released.
    mutating func change(_ body: (inout QueueSnapshot) -> Void) -> Readers {
      guard !readerList.isEmpty else {
        body(&snapshot)
        return []
      }
      let before = snapshot
      body(&snapshot)
      return before == snapshot ? [] : readerList.offer(snapshot, isLast: false)
    }
  }

  /// What a worker runs next.
  struct Next: Sendable {
    /// What has become of concurrency limits.
    fileprivate enum Limits: Sendable {
      case unchanged
      /// It has its limits already.
      case taken
      case telling(Notices)
      case takenAndTelling(Notices)
    }

    /// Who is to be told of limits; a class, since mostly that is nobody.
    fileprivate final class Notices: Sendable {
      let notices: LimitTable.Notices

      init(_ notices: LimitTable.Notices) { self.notices = notices }
    }

    fileprivate let id: Int
    fileprivate let storage: OperationStorage
    fileprivate let startTime: Duration?
    fileprivate let readers: Readers
    fileprivate var limits = Limits.unchanged

    /// Resumes the readers of snapshots, and tells owners of limits; not under a lock.
    func workItem() -> WorkItem {
      for reader in readers { reader.resume() }
      var hasTaken = false
      switch limits {
      case .unchanged: break
      case .taken: hasTaken = true
      case .telling(let others): others.notices.tell()
      case .takenAndTelling(let others):
        hasTaken = true
        others.notices.tell()
      }
      return WorkItem(id: id, storage: storage, isPrefetched: true, hasTaken: hasTaken, startTime: startTime)
    }
  }
}
