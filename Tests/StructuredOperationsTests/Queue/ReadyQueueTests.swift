import Testing

@testable import StructuredOperations

@Suite("ReadyQueue")
struct ReadyQueueTests {
  private static func queue(_ items: [(Int, QueuePriority)]) -> ReadyQueue {
    var queue = ReadyQueue()
    for (rank, priority) in items { queue.insert(ReadyQueue.Item(rank: rank, id: rank), priority: priority) }
    return queue
  }

  private static func drain(_ queue: ReadyQueue) -> [Int] {
    var queue = queue
    var ranks: [Int] = []
    while let item = queue.popFirst() { ranks.append(item.rank) }
    return ranks
  }

  @Test("An empty queue has nothing to give")
  func empty() {
    var queue = ReadyQueue()

    #expect(queue.popFirst() == nil)
  }

  @Test("Every level comes before the one below it, whatever the ranks (PR-03)")
  func levels() {
    let queue = Self.queue([(0, .veryLow), (1, .low), (2, .normal), (3, .high), (4, .veryHigh)])

    #expect(Self.drain(queue) == [4, 3, 2, 1, 0])
  }

  @Test(
    "Within a level the lower rank leaves first, in whichever order they came (PR-03)",
    arguments: [[1, 2, 3, 4], [4, 3, 2, 1], [1, 3, 2, 4], [3, 1, 4, 2], [2, 4, 1, 3]], QueuePriority.allCases)
  func ranks(ranks: [Int], priority: QueuePriority) {
    #expect(Self.drain(Self.queue(ranks.map { ($0, priority) })) == [1, 2, 3, 4])
  }

  @Test("An item out of order goes ahead of a run whose first item was popped")
  func stragglerAfterPop() {
    var queue = Self.queue([(2, .normal), (4, .normal), (6, .normal)])
    _ = queue.popFirst()

    queue.insert(ReadyQueue.Item(rank: 3, id: 3), priority: .normal)
    queue.insert(ReadyQueue.Item(rank: 5, id: 5), priority: .normal)

    #expect(Self.drain(queue) == [3, 4, 5, 6])
  }

  @Test("A few stale items stay; whoever pops them recognises them")
  func fewOrphans() {
    var queue = Self.queue([(0, .normal), (1, .normal)])

    queue.itemBecameStale { _ in
      Issue.record("stale items were looked for")
      return false
    }

    #expect(Self.drain(queue) == [0, 1])
  }

  @Test("When more than half of many items are stale they are removed together")
  func manyOrphans() {
    var queue = Self.queue((0..<200).map { ($0, QueuePriority.allCases[$0 % 5]) })
    var stale: Set<Int> = []
    var calls = 0

    for rank in 0..<150 {
      stale.insert(rank)
      queue.itemBecameStale { item in
        calls += 1
        return stale.contains(item.rank)
      }
    }

    let left = Self.drain(queue)
    #expect(left.filter { $0 >= 150 }.count == 50)
    #expect(left.count <= 50 + 17, "\(left.count) items are left")
    #expect(calls == 200, "every item was looked at once, not \(calls) times")
  }

  // A stale item is one whose number is no longer in the model, as in the scheduler.
  @Test("The queue gives what a sorted model gives, stale items aside", arguments: 0..<200)
  func model(seed: Int) throws {
    var numbers = SeededGenerator(seed: UInt64(seed))
    var queue = ReadyQueue()
    var model: [Int: QueuePriority] = [:]
    var held: [Int] = []
    var nextRank = 0
    for step in 0..<600 {
      switch Int.random(in: 0..<12, using: &numbers) {
      case 0..<3:
        queue.insert(ReadyQueue.Item(rank: nextRank, id: nextRank), priority: .normal)
        model[nextRank] = .normal
        nextRank += 1
      case 3:
        held.append(nextRank)
        nextRank += 1
      case 4..<6:
        guard let index = held.indices.randomElement(using: &numbers) else { continue }
        let rank = held.remove(at: index)
        let priority = QueuePriority.allCases.randomElement(using: &numbers) ?? .normal
        queue.insert(ReadyQueue.Item(rank: rank, id: rank), priority: priority)
        model[rank] = priority
      case 6..<9:
        guard let rank = model.keys.sorted().randomElement(using: &numbers) else { continue }
        model[rank] = nil
        queue.itemBecameStale { model[$0.rank] == nil }
      default:
        let expected = model.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key
        var popped = queue.popFirst()
        while let item = popped, model[item.rank] == nil {
          queue.discardedStaleItem()
          popped = queue.popFirst()
        }
        try ModelMismatch.check(popped?.rank, expected, "what was popped", seed: seed, step: step)
        if let expected { model[expected] = nil }
      }
    }
    let rest = model.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    try ModelMismatch.check(
      Self.drain(queue).filter { model[$0] != nil }, rest, "the rest", seed: seed, step: 600)
  }

  @Test("Items that were popped and are put back come first again, in whatever order that happens")
  func puttingBack() {
    for order in [[2, 1, 0], [0, 1, 2], [1, 0, 2]] {
      for rest in 0...2 {
        var queue = ReadyQueue()
        for rank in 0..<(3 + rest) { queue.insert(ReadyQueue.Item(rank: rank, id: rank), priority: .normal) }
        let popped = (0..<3).compactMap { _ in queue.popFirst() }
        for index in order { queue.putBack(popped[index], priority: .normal) }
        queue.insert(ReadyQueue.Item(rank: 9, id: 9), priority: .high)

        var ranks: [Int] = []
        while let item = queue.popFirst() { ranks.append(item.rank) }
        #expect(ranks == [9] + Array(0..<(3 + rest)))
      }
    }
  }
}
