extension StallAnalysis {
  /// What a queue in which nothing more can begin knows of its operations.
  struct Input {
    let queue: any OwningQueue
    let hasBarrier: Bool
    /// What has to finish before anything behind the first barrier may begin.
    let ahead: [OperationStorage]
    /// That barrier and everything behind it, also what is skipped; evaluated only if it is needed.
    let behind: @Sendable () -> [OperationStorage]
    /// Whether an operation is one of those and waits for those ahead.
    let isBehind: @Sendable (OperationStorage) -> Bool
    /// The barriers of the queue; evaluated only if they are needed.
    let barriers: @Sendable () -> [OperationStorage]
    /// Whether an operation is a barrier of the queue, which passes no other.
    let isBarrier: @Sendable (OperationStorage) -> Bool
    /// Whether what passes a barrier could run.
    let mayPass: Bool
    /// Whether nothing has a slot, so that only what is found here can unblock the queue.
    let isQuiescent: Bool
    /// Bodies that wait for everything in the queue.
    let wholeQueueWaits: [BodyWait]
    /// The wait of a body for the end of the queue's scope.
    let scopeWait: BodyWait?
    /// Whether everything in the scope was cancelled since that wait could never have ended.
    let isScopeDeadlocked: Bool

    /// Whether the queue is analysed for the wait for the end of its scope alone.
    var stallsByScopeAlone: Bool { !hasBarrier && wholeQueueWaits.isEmpty }
  }

  /// What unblocks the queue.
  enum Finding: Sendable {
    /// Only something outside of the queue can unblock it; it is told of new edges.
    case nothing
    /// These operations pass the barrier, since those ahead of it depend on them.
    case pass([OperationStorage])
    /// These operations fall behind the barrier, since they depend on it; or an earlier barrier does.
    case fallBehind(OperationStorage, [OperationStorage])
    /// Everything that is left waits for the bodies that wait for everything, or is one of them.
    case onlyWaitersLeft
    /// Everything that is left waits for the body that waits for the end of the scope, or for those that wait for everything.
    case scopeNeverEnds
    /// A wait that could never have ended, and the operations along its loop. It has ended, or is abandoned; its body is still to
    /// be resumed.
    case deadlock(BodyWait, BodyWait.Loop)
  }

  struct Result: Sendable {
    let finding: Finding
    let needs: Needs
    /// Whether the graph knows now what the barrier holds up.
    let isHoldKnown: Bool
    /// Other queues, which are to look again: they can end waits now.
    let queuesToTell: [any OwningQueue]
  }

  /// What the operations ahead of the barrier wait for, themselves included.
  struct Needs: Sendable {
    let ids: Set<ObjectIdentifier>
    /// Keeps their addresses from being used again, and nothing alive; never read.
    private let addresses: [Address]
    /// Whether there is more than that, since one of them waits for everything in a queue.
    let isOpenEnded: Bool

    init(_ storages: [OperationStorage] = [], isOpenEnded: Bool = false) {
      ids = Set(storages.map { ObjectIdentifier($0) })
      addresses = storages.map { Address(storage: $0) }
      self.isOpenEnded = isOpenEnded
    }

    private struct Address: Sendable {
      unowned let storage: OperationStorage
    }

    func contains(_ storage: OperationStorage) -> Bool { ids.contains(ObjectIdentifier(storage)) }
  }
}
