extension LimitScheduler {
  struct Limit: Sendable {
    var count: Int
    var used = 0
    /// The first demand in line of each owner that has any.
    private(set) var firsts: [First] = []
    /// The lines of these owners.
    private var lines: [Line] = []

    struct First: Sendable {
      let owner: OwnerID
      fileprivate(set) var item: Item
    }

    init(count: Int) { self.count = count }

    /// Below 0 where the count was lowered below what is in use.
    var room: Int { count - used }

    var hasLine: Bool { !firsts.isEmpty }

    /// The first demand in line of an owner.
    func first(of owner: OwnerID) -> Item? { index(of: owner).map { firsts[$0].item } }

    /// How many items the lines hold, of demands that have left, too.
    var itemCount: Int { lines.map(\.itemCount).reduce(0, +) }

    mutating func insert(_ item: Item, of owner: OwnerID) {
      if let index = index(of: owner) {
        lines[index].insert(item)
        firsts[index].item = min(firsts[index].item, item)
      } else {
        firsts.append(First(owner: owner, item: item))
        lines.append(Line())
        lines[lines.endIndex - 1].insert(item)
      }
    }

    /// A demand has left the line.
    ///
    /// - Parameter demands: All that there are; those that have left do not stand in line.
    mutating func demandLeft(of owner: OwnerID, among demands: borrowing SlotMap<Demand>) {
      guard let index = index(of: owner) else {
        preconditionFailure("a demand left a line in which it did not stand")
      }
      lines[index].demandLeft(among: demands)
      if let first = lines[index].first {
        firsts[index].item = first
      } else {
        firsts.remove(at: index)
        lines.remove(at: index)
      }
    }

    private func index(of owner: OwnerID) -> Int? { firsts.firstIndex { $0.owner == owner } }
  }
}
