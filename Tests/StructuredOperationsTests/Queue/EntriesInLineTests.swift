import Testing

@testable import StructuredOperations

@Suite("EntriesInLine")
struct EntriesInLineTests {
  private static let demands: [LimitTable.DemandID] = {
    var scheduler = LimitTable.Scheduler()
    let limit = scheduler.addLimit(count: 1)
    let needs = LimitTable.Scheduler.Needs.one(LimitTable.Scheduler.Need(limit: limit, cost: 1))
    return (0..<400).map {
      scheduler.stand(needs, as: LimitTable.Rank(priority: 0, order: $0), of: .none, opening: .all)
    }
  }()

  @Test("Each entry has what stands in line for it now, until it leaves", arguments: 0..<10)
  func model(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var entries = EntriesInLine()
    var reference: [Int: OperationStateMachine.InLine] = [:]
    for (order, demand) in Self.demands.enumerated() {
      let id = Int.random(in: 0..<(seed < 5 ? 12 : 3_000), using: &random)
      if Int.random(in: 0..<5, using: &random) < (seed % 2 == 0 ? 2 : 3) {
        let inLine = OperationStateMachine.InLine(demand: demand, rank: LimitTable.Rank(priority: 0, order: order))
        entries.insert(id, inLine)
        reference[id] = inLine
      } else {
        let known = seed < 5 ? id : reference.keys.sorted().randomElement(using: &random) ?? id
        let left = entries.remove(known)
        #expect(left == reference.removeValue(forKey: known))
      }
      #expect(entries.isEmpty == reference.isEmpty && entries[id] == reference[id])
      for (id, inLine) in reference {
        #expect(entries[id] == inLine && entries.stands(inLine.demand, for: id))
        #expect(!entries.stands(inLine.demand, for: id + 1))
      }
    }
  }

  @Test("The room that many entries needed is given back, though some are always in line", arguments: [0, 1])
  func memory(remainingCount: Int) {
    var entries = EntriesInLine()
    let inLine = OperationStateMachine.InLine(demand: Self.demands[0], rank: LimitTable.Rank(priority: 0, order: 0))
    for id in 0..<10_000 { entries.insert(id, inLine) }
    for id in remainingCount..<10_000 { #expect(entries.remove(id) == inLine) }
    // Those that come and go, after which the indices are looked through.
    for _ in 0..<10 {
      entries.insert(5, inLine)
      #expect(entries.remove(5) == inLine)
    }

    let lists = Mirror(reflecting: entries).children.map { Mirror(reflecting: $0.value).children.count }
    #expect(lists.max() ?? .max < 100)
    let places = Mirror(reflecting: entries).children.lazy
      .compactMap { $0.value as? [(entry: Int, inLine: OperationStateMachine.InLine)] }.first
    #expect(places.map { $0.capacity <= 1_024 } == true)
    #expect((entries[0] == inLine) == (remainingCount == 1) && entries[7_000] == nil)
  }
}
