/// What an operation needs of concurrency limits: each limit once, in the order in which they were added.
///
/// One limit at a cost of 1, which is what most need, takes no memory of its own.
struct LimitNeeds: RandomAccessCollection, Sendable {
  private enum Content: Sendable {
    case one(ConcurrencyLimit)
    /// Anything but one limit at a cost of 1.
    case list([LimitNeed])
  }

  private var content: Content

  init() { content = .list([]) }

  /// Each of the limits at a cost of 1.
  init(_ limits: [ConcurrencyLimit]) {
    self.init()
    if limits.count == 1 {
      content = .one(limits[0])
    } else {
      for limit in limits { add(LimitNeed(limit: limit, cost: 1)) }
    }
  }

  /// A limit that is there already is needed at the higher of both costs.
  mutating func add(_ need: LimitNeed) {
    var list = Array(self)
    if let index = list.firstIndex(where: { $0.limit === need.limit }) {
      list[index].cost = Swift.max(list[index].cost, need.cost)
    } else {
      list.append(need)
    }
    content = list.count == 1 && list[0].cost == 1 ? .one(list[0].limit) : .list(list)
  }

  // MARK: As a collection

  var startIndex: Int { 0 }

  var endIndex: Int {
    switch content {
    case .one: 1
    case .list(let list): list.count
    }
  }

  subscript(position: Int) -> LimitNeed {
    switch content {
    case .one(let limit): LimitNeed(limit: limit, cost: 1)
    case .list(let list): list[position]
    }
  }

  // MARK: In the table

  /// The same for ``LimitScheduler``.
  var inScheduler: LimitTable.Scheduler.Needs {
    switch content {
    case .one(let limit): LimitTable.Scheduler.Needs(LimitTable.Scheduler.Need(limit: limit.id, cost: 1))
    case .list(let list):
      LimitTable.Scheduler.Needs(list.map { LimitTable.Scheduler.Need(limit: $0.limit.id, cost: $0.cost) })
    }
  }
}

extension LimitNeeds: Equatable {
  static func == (one: Self, other: Self) -> Bool {
    switch (one.content, other.content) {
    case (.one(let one), .one(let other)): one === other
    case (.list(let one), .list(let other)): one == other
    case (.one, .list), (.list, .one): false
    }
  }
}

extension LimitNeeds: ExpressibleByArrayLiteral {
  init(arrayLiteral needs: LimitNeed...) {
    self.init()
    for need in needs { add(need) }
  }
}
