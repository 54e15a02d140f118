extension LimitScheduler {
  struct Limit: Sendable {
    var count: Int
    var used = 0
    /// The demands in line, by their owners; none is empty.
    var lines: [Line] = []

    init(count: Int) { self.count = count }

    /// Below 0 where the count was lowered below what is in use.
    var room: Int { count - used }

    var hasLine: Bool { !lines.isEmpty }

    func index(of owner: OwnerID) -> Int? { lines.firstIndex { $0.owner == owner } }
  }
}
