extension LimitScheduler {
  /// The demands of one owner in the line of one limit.
  ///
  /// Those that have left stay in the heap until they come first, or until they are more than half of it.
  struct Line: Sendable {
    let owner: OwnerID
    private var items = BinaryHeap<Item>()
    private var count = 0
    private var staleCount = 0

    init(owner: OwnerID) { self.owner = owner }

    var isEmpty: Bool { count == 0 }

    var itemCount: Int { count + staleCount }

    var first: Item? { items.first }

    mutating func insert(_ item: Item) {
      items.insert(item)
      count += 1
    }

    /// The first item is of a demand that has left.
    mutating func popStale() {
      _ = items.popFirst()
      staleCount -= 1
    }

    /// A demand has left.
    mutating func itemBecameStale(isStale: (Item) -> Bool) {
      count -= 1
      staleCount += 1
      guard staleCount > count + 32 else { return }
      items.removeAll(where: isStale)
      staleCount = 0
    }
  }
}
