/// The ready operations of a queue: the higher priority first, then the lower rank.
///
/// It knows nothing but items. Removing one costs nothing: the item becomes stale, which its rank tells whoever pops it;
/// once more than half of all items are stale they are removed together. So an operation costs O(log n) at most each time
/// it becomes ready or changes its priority, and O(1) where operations become ready in the order of ranks.
struct ReadyQueue: Sendable {
  struct Item: Comparable, Sendable {
    /// Unique.
    let rank: Int
    /// Smaller than an `Int`, so that an optional item is no larger.
    private let rawID: Int32

    var id: Int { Int(rawID) }

    init(rank: Int, id: Int) {
      self.rank = rank
      rawID = Int32(id)
    }

    static func < (one: Item, other: Item) -> Bool { one.rank < other.rank }
  }

  private var levels = [Level](repeating: Level(), count: QueuePriority.allCases.count)
  private(set) var itemCount = 0
  private var staleCount = 0

  mutating func insert(_ item: Item, priority: QueuePriority) {
    levels[Self.index(of: priority)].insert(item)
    itemCount += 1
  }

  /// Puts an item back that was popped; the first of several is put back last.
  mutating func putBack(_ item: Item, priority: QueuePriority) {
    levels[Self.index(of: priority)].putBack(item)
    itemCount += 1
  }

  /// Takes out the first item, which may be stale.
  mutating func popFirst() -> Item? {
    guard itemCount > 0 else { return nil }
    itemCount -= 1
    for index in levels.indices {
      if let item = levels[index].popFirst() { return item }
    }
    preconditionFailure("\(itemCount + 1) ready operations were lost")
  }

  mutating func discardedStaleItem() { staleCount -= 1 }

  /// - Parameter isStale: Tells which items are stale; called only from time to time.
  mutating func itemBecameStale(isStale: (Item) -> Bool) {
    staleCount += 1
    guard staleCount > itemCount / 2 + 32 else { return }
    for index in levels.indices { levels[index].removeAll(where: isStale) }
    itemCount -= staleCount
    staleCount = 0
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
  /// Most operations are ready when they are added, so that ranks come in order: those are in a plain queue, the
  /// others in a heap.
  private struct Level: Sendable {
    /// Sorted by rank.
    private var run = FIFOQueue<Item>()
    private var outOfOrder = BinaryHeap<Item>()

    mutating func insert(_ item: Item) {
      if let last = run.last, last.rank > item.rank {
        outOfOrder.insert(item)
      } else {
        run.append(item)
      }
    }

    mutating func putBack(_ item: Item) {
      if let first = run.first, first.rank < item.rank {
        insert(item)
      } else if !run.prepend(item) {
        outOfOrder.insert(item)
      }
    }

    mutating func popFirst() -> Item? {
      guard let next = run.first else { return outOfOrder.popFirst() }
      if let late = outOfOrder.first, late.rank < next.rank { return outOfOrder.popFirst() }
      return run.popFirst()
    }

    mutating func removeAll(where isUnwanted: (Item) -> Bool) {
      run.removeAll(where: isUnwanted)
      outOfOrder.removeAll(where: isUnwanted)
    }
  }
}
