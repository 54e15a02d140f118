extension LimitScheduler {
  /// The demands of one owner in the line of one limit.
  ///
  /// Those that have left stay in the heap until they come first, or until they are more than half of it. One that left and came
  /// back may be there more than once.
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
        var kept: Set<DemandID> = []
        items.removeAll { isStale($0) || !kept.insert($0.demand).inserted }
        staleCount = 0
      }
      while let item = items.first, isStale(item) {
        _ = items.popFirst()
        staleCount -= 1
      }
    }
  }
}
