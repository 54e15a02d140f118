import StructuredOperations

// Concurrency limits: what is in use.
extension Referee {
  /// How much of a limit an operation needs, and since when.
  struct LimitNeed {
    var cost: Int
    /// When the first call that added it was made.
    let called: Int
  }

  /// What each operation needs of each limit.
  ///
  /// A limit that counts was added before the operation was chosen, so that all of them count when it begins; though on
  /// threads the call may return later than that.
  static func limitNeeds(of record: RunRecord) -> [Int: [Int: LimitNeed]] {
    var called: [Int: [Int: Int]] = [:]
    var needs: [Int: [Int: LimitNeed]] = [:]
    for (number, event) in record.events.enumerated() {
      switch event {
      case .limitAddCalled(let id, let need):
        if called[id]?[need.limit] == nil { called[id, default: [:]][need.limit] = number }
      case .limitAddReturned(let id, let need, .counts):
        let cost = max(need.cost, needs[id]?[need.limit]?.cost ?? 0)
        needs[id, default: [:]][need.limit] = LimitNeed(cost: cost, called: called[id]?[need.limit] ?? number)
      case .limitAddReturned(let id, let need, .refused):
        // One that is refused adds nothing: a later call may be the first one.
        if needs[id]?[need.limit] == nil { called[id]?[need.limit] = nil }
      default: continue
      }
    }
    return needs
  }

  /// What an operation needs of each limit, in the end.
  func costs(of id: Int) -> [Int: Int] { limitNeeds[id]?.mapValues(\.cost) ?? [:] }

  /// Costs of 1 for each limit.
  func costs(_ limits: [Int]) -> [Int: Int] { Dictionary(limits.map { ($0, 1) }, uniquingKeysWith: { one, _ in one }) }

  mutating func take(_ costs: [Int: Int], _ name: String) {
    for (limit, cost) in costs.sorted(by: { $0.key < $1.key }) where limits[limit].take(cost) {
      fault("\(name) has \(cost) of limit \(limit), of which \(limits[limit].used) is in use then")
    }
  }

  mutating func give(_ costs: [Int: Int]) { for (limit, cost) in costs { limits[limit].give(cost) } }

  mutating func lend(_ costs: [Int: Int], _ lending: Event.Lending) {
    switch lending {
    case .certain: give(costs)
    case .possible: for (limit, cost) in costs { limits[limit].lendPerhaps(cost) }
    case .none: break
    }
  }

  // MARK: Adding

  mutating func limitAdded(_ id: Int, _ need: Program.LimitCost, _ result: Event.LimitResult) {
    let model = model(id)
    switch result {
    case .counts:
      if isExact, model.began != nil { fault("limit \(need.limit) was added to \(id), which ran already") }
    case .tooLate:
      if isExact, model.began == nil, model.settled == nil, model.startCalls.isEmpty, model.queue == nil {
        fault("limit \(need.limit) came too late for \(id), which nobody has")
      }
    case .refused:
      if isExact, need.cost <= limits[need.limit].count {
        fault("\(id) was refused limit \(need.limit), which is as high as its cost")
      }
    }
    if isExact, result == .counts, need.cost > limits[need.limit].count {
      fault("\(id) was given limit \(need.limit), which is below its cost")
    }
  }

  // MARK: The end

  mutating func checkLimits() {
    for (number, limit) in record.limits.enumerated() {
      if limit.count != limits[number].count { fault("limit \(number) is \(limit.count) at the end") }
      if limit.available != limit.count { fault("of limit \(number) \(limit) is left at the end") }
      if limits[number].used != 0 { fault("\(limits[number].used) of limit \(number) is in use at the end") }
    }
    if record.sleeperCount != 0 { fault("\(record.sleeperCount) sleep at the end") }
  }
}
