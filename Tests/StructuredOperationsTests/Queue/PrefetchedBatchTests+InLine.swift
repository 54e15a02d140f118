import Testing

@testable import StructuredOperations

// What is in line for concurrency limits.
extension PrefetchedBatchTests {
  @Suite("PrefetchedBatch with a line")
  struct InLine {
    private typealias Scheduler = LimitTable.Scheduler

    private let demands: [LimitTable.DemandID] = {
      var scheduler = Scheduler()
      let limit = scheduler.addLimit(count: 9)
      return (0..<3).map { order in
        scheduler.stand(
          Scheduler.Needs.one(Scheduler.Need(limit: limit, cost: 1)), as: LimitTable.Rank(priority: 0, order: order),
          of: .none, opening: .all)
      }
    }()

    /// A batch of a, b and c, with the ranks 10, 20 and 30, and of those in line, the first of which is x.
    private func filled(
      rankOfFirst: Int,
      priority: QueuePriority = .normal,
      _ works: [String] = ["a", "b", "c"],
      nextReady: Int? = nil
    ) -> Batch {
      var content = PrefetchedBatchTests.content(works)
      let inLine = zip(["x", "y"], demands).enumerated().map { index, place in
        Batch.ItemInLine(
          item: Batch.Item(
            id: 101 + index, work: place.0, position: QueuePosition(priority: priority, rank: rankOfFirst + index)),
          demand: place.1)
      }
      content = Batch.Content(items: content.items, traits: 7, inLine: inLine.reversed(), isBesideLine: true)
      content.nextReady = nextReady.map { QueuePosition(priority: .normal, rank: $0) }
      var batch = Batch()
      batch.fill(content)
      return batch
    }

    private func successor(
      _ batch: Batch,
      _ demand: Int?,
      isContested: Bool = false,
      for traits: Int = 7,
      at time: Duration? = nil
    ) -> Batch.Successor {
      var batch = batch
      return batch.successor(demand.map { demands[$0] }, isContested: isContested, for: traits, at: time) { $0 == "a" }
    }

    @Test("What is next is the first item, or the one in line that can have its limits: whichever comes first")
    func first() {
      #expect(successor(filled(rankOfFirst: 5), nil) == .other)
      #expect(successor(filled(rankOfFirst: 5), 0) == .demand(demands[0]))
      #expect(successor(filled(rankOfFirst: 15), 0) == .other)
      #expect(successor(filled(rankOfFirst: 15, priority: .high), 0) == .demand(demands[0]))
      #expect(successor(filled(rankOfFirst: 5, priority: .low), 0) == .other)
      #expect(successor(filled(rankOfFirst: 5, []), 0) == .demand(demands[0]))
    }

    @Test("One in line does not come before what is ready and was not chosen ahead")
    func unchosen() {
      #expect(successor(filled(rankOfFirst: 5, [], nextReady: 9), 0) == .demand(demands[0]))
      #expect(successor(filled(rankOfFirst: 5, [], nextReady: 2), 0) == .unknown)
      #expect(successor(filled(rankOfFirst: 5, ["a"], nextReady: 20), 0) == .demand(demands[0]))
    }

    @Test("Not the first in line is next, but the one that can have its limits")
    func notFirstInLine() {
      #expect(successor(filled(rankOfFirst: 8), 1) == .demand(demands[1]))
      #expect(successor(filled(rankOfFirst: 9), 1) == .demand(demands[1]))
      #expect(successor(filled(rankOfFirst: 10), 1) == .other)
    }

    @Test("Nothing is known of what was not chosen, after news, or for a child task of other traits")
    func unknown() {
      #expect(successor(filled(rankOfFirst: 5), 2) == .unknown)
      #expect(successor(filled(rankOfFirst: 5, []), nil) == .unknown)
      for demand in [0, nil] {
        #expect(successor(filled(rankOfFirst: 5), demand, for: 8) == .unknown)
        var batch = filled(rankOfFirst: 5)
        batch.posted(nil)
        #expect(successor(batch, demand) == .unknown)
      }
    }

    @Test("What was posted with a higher priority may come before the one in line, and before the items")
    func higherPosted() {
      for (priority, expected) in [(QueuePriority.normal, Batch.Successor.unknown), (.veryHigh, .demand(demands[0]))] {
        var batch = filled(rankOfFirst: 5, priority: priority)
        batch.posted(.high)
        #expect(successor(batch, 0) == expected)
        #expect(successor(batch, nil) == .unknown)
      }
    }

    @Test("An item that needs limits itself does not come before those who stand in line for what is given back")
    func contested() {
      #expect(successor(filled(rankOfFirst: 15), nil, isContested: true) == .unknown)
      #expect(successor(filled(rankOfFirst: 15), 0, isContested: true) == .unknown)
      #expect(successor(filled(rankOfFirst: 5), 0, isContested: true) == .demand(demands[0]))
      #expect(successor(filled(rankOfFirst: 15, ["b"]), nil, isContested: true) == .other)
    }

    @Test("Where a start rate counts, an end that was not counted takes a turn")
    func underRate() {
      var content = PrefetchedBatchTests.content(["b"])
      content.countsStartsSince = .zero
      var batch = Batch()
      batch.fill(content)
      #expect(successor(batch, nil) == .unknown)
      #expect(successor(batch, nil, at: .zero) == .other)
    }

    @Test("One in line that is next is a replacement, and the next turn gets the others back")
    func taken() {
      var batch = filled(rankOfFirst: 5)
      #expect(batch.takeNextInLine(demands[1], after: 9).work == "y")
      #expect(batch.takeNext(after: 8, for: 7)?.work == "a")
      for remainder in [batch.remainder, batch.takeBack()] {
        #expect(
          remainder.replacements == [
            Batch.Replacement(finished: 9, started: 102, wasInLine: true), Batch.Replacement(finished: 8, started: 1),
          ])
        #expect(remainder.inLine.map(\.item.work) == ["x"] && remainder.items.map(\.work) == ["c", "b"])
      }
      #expect(batch.takeBack().inLine.isEmpty)
    }

    @Test("How many of those in line are chosen depends on them alone, and how many others on these")
    func sizes() {
      var batch = filled(rankOfFirst: 5)
      for demand in demands.prefix(2) { _ = batch.takeNextInLine(demand, after: 9) }
      var remainder = batch.takeBack()
      #expect(remainder.nextSize == 1 && remainder.nextSizeInLine == 2)
      batch.fill(PrefetchedBatchTests.content(["a"]))
      _ = batch.takeNext(after: 9, for: 7)
      remainder = batch.takeBack()
      #expect(remainder.nextSize == 2 && remainder.nextSizeInLine == 2)
      #expect(batch.takeBack().nextSizeInLine == 2)
    }

    @Test("Where one in line could begin and was not chosen, more are; at most as long as any of them begins")
    func missed() {
      var batch = Batch()
      var sizes: [Int] = []
      for isUsed in Array(repeating: false, count: 6) + [true, true, false] {
        let content = filled(rankOfFirst: 5).remainder
        batch.fill(Batch.Content(items: [], traits: 7, inLine: content.inLine, isBesideLine: true))
        if isUsed { _ = batch.takeNextInLine(demands[0], after: 9) }
        #expect(batch.successor(demands[2], isContested: true, for: 7, at: nil) { _ in true } == .unknown)
        sizes.append(batch.takeBack().nextSizeInLine)
      }
      #expect(sizes == [2, 4, 8, 16, 32, 64, 64, 64, 1])
      // What was chosen last says nothing of the next batch.
      batch.fill(Batch.Content(items: [], traits: 7, inLine: filled(rankOfFirst: 5).remainder.inLine))
      #expect(batch.takeBack().nextSizeInLine == 1)
    }
  }
}
