/// What an operation needs of concurrency limits: each limit once, in the order in which they were added.
typealias LimitNeeds = OneOrMany<LimitNeed>

extension LimitNeeds {
  /// Each of the limits at a cost of 1.
  init(_ limits: [ConcurrencyLimit]) {
    self.init()
    for limit in limits { add(LimitNeed(limit: limit, cost: 1)) }
  }

  /// A limit that is there already is needed at the higher of both costs.
  mutating func add(_ need: LimitNeed) {
    if isEmpty {
      self = .one(need)
      return
    }
    var list = Array(self)
    if let index = list.firstIndex(where: { $0.limit === need.limit }) {
      list[index].cost = Swift.max(list[index].cost, need.cost)
    } else {
      list.append(need)
    }
    self = Self(list)
  }

  /// The same for ``LimitScheduler``.
  var inScheduler: LimitTable.Scheduler.Needs {
    switch self {
    case .one(let need): .one(need.inScheduler)
    case .list(let list): .list(list.map(\.inScheduler))
    }
  }
}

extension LimitNeed {
  fileprivate var inScheduler: LimitTable.Scheduler.Need { LimitTable.Scheduler.Need(limit: limit.id, cost: cost) }
}
