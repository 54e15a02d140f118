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

  /// The items of each priority: most operations are ready when they are added, so that ranks come in order.
  private var levels = [MostlySortedQueue<Item>](repeating: MostlySortedQueue(), count: QueuePriority.allCases.count)
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
