extension LimitScheduler {
  /// The demands of one owner in the line of one limit.
  ///
  /// Those that have left stay in the queue until they come first, or until they are more than half of it. One that left and came
  /// back may be there more than once.
  struct Line: Sendable {
    private var queue = MostlySortedQueue<Item>()
    private var count = 0
    private var staleCount = 0

    /// Nil where nobody is in line.
    var first: Item? { queue.first }

    var itemCount: Int { count + staleCount }

    /// All that are in the queue, those that have left, too.
    var items: [Item] { queue.unordered }

    mutating func insert(_ item: Item) {
      queue.insert(item)
      count += 1
    }

    /// A demand has left.
    ///
    /// - Parameter demands: All that there are; those that have left do not stand in line.
    mutating func demandLeft(among demands: borrowing SlotMap<Demand>) {
      count -= 1
      staleCount += 1
      if staleCount > count + 32 {
        var kept: Set<DemandID> = []
        queue.removeAll { !LimitScheduler.isStanding($0.demand, among: demands) || !kept.insert($0.demand).inserted }
        staleCount = 0
      }
      while let item = queue.first, !LimitScheduler.isStanding(item.demand, among: demands) {
        _ = queue.popFirst()
        staleCount -= 1
      }
    }
  }

  static func isStanding(_ id: DemandID, among demands: borrowing SlotMap<Demand>) -> Bool {
    demands.contains(id) && demands[existing: id].isStanding
  }
}
