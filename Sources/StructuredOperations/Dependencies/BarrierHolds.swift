/// What barriers hold up in quiescent queues, each with what has to finish first.
///
/// That is known to the queue of the barrier alone, so no queue can see a loop through barriers of several ones. A queue that finds
/// nothing that unblocks it leaves here what its barrier holds up, and the analyses of the others follow that. The last one that
/// becomes quiescent finds the loop.
///
/// Example: A is ahead of a barrier of queue 1, and awaits B, which is behind one of queue 2; C is ahead of that, and awaits D, which
/// is behind that of queue 1. Queue 1 leaves that D waits for A. Queue 2 follows C, D, A and B, which it holds up itself.
///
/// A queue that bodies wait for leaves what is in it, with or without a barrier, so that others can tell what waits for those bodies.
struct BarrierHolds: Sendable {
  /// What one queue has left.
  struct Hold: Sendable {
    /// What has to finish before anything behind the barrier may begin.
    fileprivate private(set) var ahead: [OperationStorage]
    private var membersAhead: Set<OperationStorage>
    /// What those ahead wait for: it may be about to pass the barrier.
    private let needs: StallAnalysis.Needs
    /// The barrier, and what was behind it, or has been added since; in no particular order.
    fileprivate private(set) var behind: [OperationStorage]
    /// Those of them that are barriers: they keep their places when they are cancelled.
    private var barriers: Set<OperationStorage>
    private let hasBarrier: Bool
    private let passing: [OperationStorage]
    private let wholeQueueWaits: [BodyWait]

    /// - Parameters:
    ///   - behind: The first barrier and what is behind it; nil where there is no barrier.
    ///   - passing: What is to pass the barrier.
    ///   - wholeQueueWaits: The waits for everything in the queue.
    init(
      ahead: [OperationStorage],
      needs: StallAnalysis.Needs,
      behind: [OperationStorage]?,
      barriers: [OperationStorage],
      passing: [OperationStorage] = [],
      wholeQueueWaits: [BodyWait] = []
    ) {
      self.ahead = ahead
      membersAhead = Set(ahead)
      self.needs = needs
      self.behind = behind ?? []
      hasBarrier = behind != nil
      self.barriers = Set(barriers)
      self.passing = passing
      self.wholeQueueWaits = wholeQueueWaits
    }

    /// A queue has taken one more, which is behind its barrier if it has one.
    mutating func add(_ storage: OperationStorage, isBarrier: Bool) {
      if !hasBarrier {
        ahead.append(storage)
        membersAhead.insert(storage)
      } else {
        behind.append(storage)
        if isBarrier { barriers.insert(storage) }
      }
    }

    func isAhead(_ storage: OperationStorage) -> Bool { membersAhead.contains(storage) }

    /// Whether an operation of the queue waits for those ahead: not once it is to be skipped, unless it is a barrier.
    ///
    /// Whatever is in the queue and is not awaited by those ahead is behind the barrier, also where no turn has admitted it yet.
    func holds(_ storage: OperationStorage) -> Bool {
      if !hasBarrier || needs.contains(storage) { return false }
      return barriers.contains(storage) ? storage.read(\.isUnclaimed) : storage.isStillToBegin
    }

    /// What is left, for those that wait for everything in the queue.
    fileprivate var remainder: WaiterSearch.Remainder {
      WaiterSearch.Remainder(
        waiters: wholeQueueWaits.filter { !$0.isOver }.map(\.operation.storage), ahead: ahead, passing: passing,
        heldBack: behind.filter(holds), isHeldBack: holds)
    }
  }

  private var holds: [ObjectIdentifier: Hold] = [:]

  mutating func insert(_ hold: Hold, of queue: ObjectIdentifier) { holds[queue] = hold }

  /// - Returns: What the queue had left, to be freed once the graph's lock is released.
  mutating func remove(of queue: ObjectIdentifier) -> Hold? { holds.removeValue(forKey: queue) }

  /// - Returns: Whether the queue has left something.
  mutating func add(_ storage: OperationStorage, isBarrier: Bool, to queue: ObjectIdentifier) -> Bool {
    holds[queue]?.add(storage, isBarrier: isBarrier) != nil
  }

  /// Whether a queue has left something.
  func isKnown(of queue: ObjectIdentifier) -> Bool { holds[queue] != nil }

  func remainder(of queue: ObjectIdentifier) -> WaiterSearch.Remainder? { holds[queue]?.remainder }

  func isHeld(_ storage: OperationStorage) -> Bool { hold(of: storage)?.hold.holds(storage) == true }

  /// What an operation waits for since a barrier holds it up.
  ///
  /// - Parameter followed: The queues for which that was asked before. All behind a barrier wait for the same operations, so these are
  ///   returned once.
  func awaited(by storage: OperationStorage, _ followed: inout Set<ObjectIdentifier>) -> [OperationStorage] {
    guard let (queue, hold) = hold(of: storage), !followed.contains(queue), hold.holds(storage) else { return [] }
    followed.insert(queue)
    return hold.ahead
  }

  /// What waits for an operation since a barrier holds it up.
  ///
  /// - Parameter followed: As above: what waits for all ahead of a barrier is returned for the first one alone.
  func waiting(for storage: OperationStorage, _ followed: inout Set<ObjectIdentifier>) -> [OperationStorage] {
    guard let (queue, hold) = hold(of: storage), !followed.contains(queue), hold.isAhead(storage) else { return [] }
    followed.insert(queue)
    return hold.behind.filter(hold.holds)
  }

  private func hold(of storage: OperationStorage) -> (queue: ObjectIdentifier, hold: Hold)? {
    guard !holds.isEmpty, let queue = storage.queueID, let hold = holds[queue] else { return nil }
    return (queue, hold)
  }
}
