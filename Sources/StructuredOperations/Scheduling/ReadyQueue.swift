/// The ready operations of a queue: the higher priority first, then the lower rank (PR-03).
///
/// It knows nothing but items. Removing one costs nothing: the item stays as an orphan, which whoever pops it tells by
/// its rank; once more than half of all items are orphans they are thrown out together. So an operation costs
/// O(log n) at most each time it becomes ready or changes its priority, O(1) where it is ready in the order of ranks.
struct ReadyQueue: Sendable {
  struct Item: Equatable, Sendable {
    /// Unique.
    let rank: Int
    /// Smaller than an `Int`, so that an optional item is no larger.
    private let rawID: Int32

    var id: Int { Int(rawID) }

    init(rank: Int, id: Int) {
      self.rank = rank
      rawID = Int32(id)
    }
  }

  private var levels = [Level](repeating: Level(), count: QueuePriority.allCases.count)
  private var itemCount = 0
  private var orphanCount = 0

  /// Whether there is none; orphans count.
  var isEmpty: Bool { itemCount == 0 }

  mutating func insert(_ item: Item, priority: QueuePriority) {
    levels[Self.index(of: priority)].insert(item)
    itemCount += 1
  }

  /// Inserts an item that was popped, after all those that were popped before it and are to be put back have been left
  /// out; it is the first again.
  mutating func putBack(_ item: Item, priority: QueuePriority) {
    levels[Self.index(of: priority)].putBack(item)
    itemCount += 1
  }

  /// Takes out the first item, which may be an orphan.
  mutating func popFirst() -> Item? {
    guard itemCount > 0 else { return nil }
    itemCount -= 1
    for index in levels.indices {
      if let item = levels[index].popFirst() { return item }
    }
    preconditionFailure("\(itemCount + 1) ready operations were lost")
  }

  /// An item that was popped proved an orphan.
  mutating func discardedOrphan() { orphanCount -= 1 }

  /// One of the items has become an orphan.
  ///
  /// - Parameter isOrphan: Tells which items are; called only from time to time.
  mutating func orphaned(isOrphan: (Item) -> Bool) {
    orphanCount += 1
    guard orphanCount > itemCount / 2 + 32 else { return }
    for index in levels.indices { levels[index].removeAll(where: isOrphan) }
    itemCount -= orphanCount
    orphanCount = 0
  }

  private static func index(of priority: QueuePriority) -> Int {
    switch priority {
    case .veryHigh: 0
    case .high: 1
    case .normal: 2
    case .low: 3
    case .veryLow: 4
    }
  }
}

extension ReadyQueue {
  /// The items of one priority.
  ///
  /// Most operations are ready when they are added, so that ranks come in order: those stand in a plain queue, the
  /// others in a heap.
  private struct Level: Sendable {
    /// Sorted by rank.
    private var run = FIFOQueue<Item>()
    private var stragglers = RankHeap()

    mutating func insert(_ item: Item) {
      if let last = run.last, last.rank > item.rank {
        stragglers.insert(item)
      } else {
        run.append(item)
      }
    }

    mutating func putBack(_ item: Item) {
      if let first = run.first, first.rank < item.rank {
        insert(item)
      } else if !run.prepend(item) {
        stragglers.insert(item)
      }
    }

    mutating func popFirst() -> Item? {
      guard let next = run.first else { return stragglers.popFirst() }
      if let straggler = stragglers.first, straggler.rank < next.rank { return stragglers.popFirst() }
      return run.popFirst()
    }

    mutating func removeAll(where isUnwanted: (Item) -> Bool) {
      run.removeAll(where: isUnwanted)
      stragglers.removeAll(where: isUnwanted)
    }
  }
}
