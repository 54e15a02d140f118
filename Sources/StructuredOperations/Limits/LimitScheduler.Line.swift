extension LimitScheduler {
  /// The demands of one owner in the line of one limit.
  ///
  /// Those that have left stay in the heap until they come first, or until they are more than half of it.
  struct Line: Sendable {
    private var items = BinaryHeap<Item>()
    private var count = 0
    private var staleCount = 0

    /// Nil where nobody is in line.
    var first: Item? { items.first }

    var itemCount: Int { count + staleCount }

    mutating func insert(_ item: Item) {
      items.insert(item)
      count += 1
    }

    /// A demand has left.
    ///
    /// - Parameter isStale: Whether an item is of a demand that has left.
    mutating func demandLeft(isStale: (Item) -> Bool) {
      count -= 1
      staleCount += 1
      if staleCount > count + 32 {
        items.removeAll(where: isStale)
        staleCount = 0
      }
      while let item = items.first, isStale(item) {
        _ = items.popFirst()
        staleCount -= 1
      }
    }
  }
}
