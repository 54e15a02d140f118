import Testing

@testable import StructuredOperations

// Operations that become ready while there is a batch.
extension PrefetchedBatchTests {
  /// Those that have become ready, each of a rank, at normal priority; their numbers are 100 more than that.
  static func arrivals(
    _ ranks: [Int],
    priority: QueuePriority = .normal,
    isRunnable: (Int) -> Bool = { _ in true }
  ) -> [Batch.Arrival] {
    ranks.map { rank in
      let position = QueuePosition(priority: priority, rank: rank)
      return Batch.Arrival(entry: ReadyEntry(id: rank + 100, position: position), isRunnable: isRunnable(rank))
    }
  }

  /// What came of an end that has made others ready.
  struct Result: Equatable {
    var next: String?
    var late: [Int] = []
    var items: [String] = []

    static let turn = Result(next: nil)
  }

  /// - Returns: What a child task goes on with, whose operation has made operations of these ranks ready, and what is left.
  static func end(
    _ batch: inout Batch,
    _ arrivals: [Batch.Arrival],
    since number: Int = 1,
    for traits: Int = 7
  ) -> Result {
    let before = batch.remainder.items.map(\.work)
    let next = batch.joinAndTakeNext(after: 50, arrivals.count, since: number, for: traits) { index in
      arrivals[index]
    } work: { index in
      "ready \(arrivals[index].entry.id - 100)"
    }
    let items = batch.remainder.items.map(\.work)
    guard let next else {
      #expect(items == before, "something has changed")
      return .turn
    }
    let late = arrivals.indices.filter(next.late.contains)
    return Result(next: next.item.work, late: late, items: items.reversed())
  }

  static func batch(_ works: [String], _ joining: Batch.Joining) -> Batch {
    var batch = Batch()
    batch.fill(content(works, joining: joining))
    return batch
  }

  @Test(
    "Where others are ready that come later, what comes before the last item joins in its place, and the rest is told",
    arguments: [
      ([5], Result(next: "ready 5", items: ["a", "b"])),
      ([15], Result(next: "a", items: ["ready 15", "b"])),
      ([25], Result(next: "a", late: [0], items: ["b"])),
      ([15, 25, 5, 12, 30], Result(next: "ready 5", late: [1, 4], items: ["a", "ready 12", "ready 15", "b"])),
    ])
  private func beforeLast(ranks: [Int], result: Result) {
    var batch = Self.batch(["a", "b"], .beforeLast)
    #expect(Self.end(&batch, Self.arrivals(ranks)) == result)
  }

  @Test(
    "Where nothing else is ready, everything joins",
    arguments: [
      ([5], Result(next: "ready 5", items: ["a", "b"])),
      ([25, 15], Result(next: "a", items: ["ready 15", "b", "ready 25"])),
    ])
  private func everything(ranks: [Int], result: Result) {
    var batch = Self.batch(["a", "b"], .everything)
    #expect(Self.end(&batch, Self.arrivals(ranks)) == result)
  }

  @Test("What joins comes in its place, wherever that is among however many", arguments: [0, 1, 2, 7, 64, 511, 512])
  func places(count: Int) {
    let works = (0..<count).map { "\(10 * ($0 + 1))" }
    for rank in stride(from: 5, through: 10 * count + 5, by: 10 * max(1, count / 50)) {
      var batch = Self.batch(works, .everything)
      let result = Self.end(&batch, Self.arrivals([rank]))
      var order = works
      order.insert("ready \(rank)", at: rank / 10)
      #expect(result == Result(next: order[0], items: Array(order.dropFirst())))
    }
  }

  @Test("Where all slots are taken and nothing is ready, an operation that becomes ready has the slot, and others wait")
  func everythingFromNothing() {
    var batch = Self.batch([], .everything)
    #expect(batch.takeNext(after: 50, for: 7) == nil)
    #expect(Self.end(&batch, Self.arrivals([9, 4, 6])) == Result(next: "ready 4", items: ["ready 6", "ready 9"]))
    #expect(batch.takeNext(after: 104, for: 8) == nil, "taken by a child task of other traits")
    #expect(batch.takeNext(after: 104, for: 7)?.work == "ready 6")
    #expect(Self.end(&batch, Self.arrivals([20])) == Result(next: "ready 9", items: ["ready 20"]))

    let remainder = batch.takeBack()
    #expect(
      remainder.replacements == [
        Batch.Replacement(finished: 50, started: 104, hasJoined: true),
        Batch.Replacement(finished: 104, started: 106, hasJoined: true),
        Batch.Replacement(finished: 50, started: 109, hasJoined: true),
      ])
    #expect(remainder.items.map(\.hasJoined) == [true])
  }

  @Test("What was chosen in a turn has not joined")
  func notJoined() {
    var batch = Self.batch(["a", "b"], .everything)
    _ = Self.end(&batch, Self.arrivals([15]))
    let remainder = batch.takeBack()
    #expect(remainder.replacements == [Batch.Replacement(finished: 50, started: 1)])
    #expect(remainder.items.map(\.hasJoined) == [false, true])
  }

  @Test("Where nothing may join, what comes after the batch is told, and anything else takes a turn")
  func nothingMayJoin() {
    for (ranks, isTaken) in [([5], false), ([15], false), ([25], true), ([25, 30], true), ([25, 5], false)] {
      var batch = Self.batch(["a", "b"], .nothing)
      let expected = isTaken ? Result(next: "a", late: Array(ranks.indices), items: ["b"]) : .turn
      #expect(Self.end(&batch, Self.arrivals(ranks)) == expected, "\(ranks)")
    }
    var batch = Self.batch([], .beforeLast)
    #expect(Self.end(&batch, Self.arrivals([5])) == .turn, "nothing is before the last of none")
  }

  @Test("What the child task could not run does not join; nothing comes ahead of it in the batch then")
  func notRunnable() {
    for joining in [Batch.Joining.beforeLast, .everything] {
      var batch = Self.batch(["a", "b"], joining)
      #expect(Self.end(&batch, Self.arrivals([5]) { _ in false }) == .turn)
      #expect(Self.end(&batch, Self.arrivals([25]) { _ in false }) == Result(next: "a", late: [0], items: ["b"]))
      // It would come after the one that was told.
      #expect(Self.end(&batch, Self.arrivals([30])) == Result(next: "b", late: [0]))
      #expect(Self.end(&batch, Self.arrivals([40])) == .turn)
    }
    var batch = Self.batch(["a", "b"], .everything)
    #expect(Self.end(&batch, Self.arrivals([25, 30]) { $0 == 30 }) == .turn)
  }

  @Test("What becomes ready joins no batch that does not continue the one before: a turn may have chosen it")
  func otherBatch() {
    for joining in [Batch.Joining.beforeLast, .everything, .freeSlots(1)] {
      let works = joining == .freeSlots(1) ? [] : ["a", "b"]
      var batch = Self.batch(works, joining)
      _ = batch.takeBack()
      batch.fill(Self.content(works, joining: joining))
      #expect(batch.number == 2)
      #expect(Self.end(&batch, Self.arrivals([5])) == .turn)
      #expect(Self.end(&batch, Self.arrivals([5]), since: 2).next == "ready 5")
    }
  }

  @Test("What becomes ready joins a later batch, too, as long as no turn since can have chosen it")
  func continuedBatch() {
    var batch = Self.batch(["a"], .everything)
    _ = batch.takeBack()
    #expect(Self.end(&batch, Self.arrivals([5])) == .turn, "joined while there was none")
    batch.fill(Self.content(["b"], joining: .everything, continuesLast: true))
    #expect(Self.end(&batch, Self.arrivals([5])) == Result(next: "ready 5", items: ["b"]))
    #expect(batch.takeBack().firstNumber == 1)
    batch.fill(Self.content(["c"], joining: .everything))
    _ = batch.takeBack()
    batch.fill(Self.content(["d"], joining: .everything, continuesLast: true))
    #expect(Self.end(&batch, Self.arrivals([5]), since: 2) == .turn)
    #expect(Self.end(&batch, Self.arrivals([5]), since: 3) == Result(next: "ready 5", items: ["d"]))
    #expect(batch.remainder.firstNumber == 3 && batch.takeBack().firstNumber == 3 && batch.takeBack().firstNumber == 3)
  }

  @Test("Nothing joins that a posted operation may come before, and nothing at all once the batch is outdated")
  func posted() {
    for joining in [Batch.Joining.everything, .freeSlots(1)] {
      var batch = Self.batch([], joining)
      batch.posted(.normal)
      #expect(Self.end(&batch, Self.arrivals([5], priority: .low)) == .turn)
      #expect(Self.end(&batch, Self.arrivals([5])).next == "ready 5")
      batch.posted(nil)
      #expect(Self.end(&batch, Self.arrivals([6])) == .turn)
    }
  }

  @Test("A child task of other traits joins nothing to a batch with items")
  func otherTraitsJoin() {
    var batch = Self.batch(["a", "b"], .everything)
    #expect(Self.end(&batch, Self.arrivals([5]), for: 8) == .turn)
  }

  @Test("A batch that is empty again takes what child tasks of other traits can run")
  func otherTraitsLater() {
    var batch = Self.batch([], .everything)
    #expect(Self.end(&batch, Self.arrivals([5])).next == "ready 5")
    #expect(Self.end(&batch, Self.arrivals([6]), for: 8).next == "ready 6")
  }

  @Test("However many become ready, one after another or together, there is a turn from time to time", arguments: 1...5)
  func bound(count: Int) {
    var batch = Self.batch([], .everything)
    var ready = 0
    while ready < 10_000, Self.end(&batch, Self.arrivals(Array(ready..<ready + count))) != .turn { ready += count }
    let turnless = batch.takeBack().replacements.count
    #expect(turnless >= Batch.largestSize && turnless < 2 * Batch.largestSize + count)

    var other = Self.batch([], .everything)
    #expect(Self.end(&other, Self.arrivals(Array(0...SmallIndexSet.capacity))) == .turn, "too many at once")
  }
}
