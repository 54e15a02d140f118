import Testing

@testable import StructuredOperations

@Suite("PrefetchedBatch")
struct PrefetchedBatchTests {
  typealias Batch = PrefetchedBatch<String, Int>

  /// - Parameters:
  ///   - works: The first one has the number 1 and the rank 10, the next one 2 and 20.
  ///   - priority: That of all items.
  static func content(
    _ works: [String],
    priority: QueuePriority = .normal,
    joining: Batch.Joining = .nothing,
    continuesLast: Bool = false
  ) -> Batch.Content {
    let items = works.enumerated().map { index, work in
      Batch.Item(id: index + 1, work: work, position: QueuePosition(priority: priority, rank: 10 * (index + 1)))
    }
    return Batch.Content(
      items: items.reversed(), traits: items.isEmpty ? nil : 7, joining: joining, continuesLast: continuesLast)
  }

  /// A batch of three, the first of which is a.
  private func filled(priority: QueuePriority = .normal) -> Batch {
    var batch = Batch()
    batch.fill(Self.content(["a", "b", "c"], priority: priority))
    return batch
  }

  @Test("Each operation that finishes is replaced by the next item, until there are none")
  func replacements() {
    var batch = filled()

    #expect(batch.takeNext(after: 10, for: 7)?.work == "a")
    #expect(batch.takeNext(after: 11, for: 7)?.work == "b")
    #expect(batch.takeNext(after: 1, for: 7)?.work == "c")
    #expect(batch.takeNext(after: 12, for: 7) == nil)

    let remainder = batch.takeBack()
    #expect(
      remainder.replacements == [
        Batch.Replacement(finished: 10, started: 1), Batch.Replacement(finished: 11, started: 2),
        Batch.Replacement(finished: 1, started: 3),
      ])
    #expect(remainder.items.isEmpty)
  }

  @Test("Where a start rate counts, each item begins at the time that is told, and none before the last one")
  func countedStarts() {
    var batch = Batch()
    var content = Self.content(["a", "b", "c"])
    content.countsStartsSince = .seconds(3)
    batch.fill(content)

    // A task whose operation was not counted has no time to tell.
    #expect(batch.takeNext(after: 10, for: 7) == nil)
    for (time, start) in [(2, 3), (5, 5), (4, 5)] {
      #expect(batch.takeNext(after: 10, for: 7, at: .seconds(time)) != nil)
      #expect(batch.latestStart == .seconds(start))
    }

    #expect(batch.remainder.startTimes == [3, 5, 5].map { .seconds($0) })
    #expect(batch.takeBack().startTimes == [3, 5, 5].map { .seconds($0) })
    #expect(batch.takeBack().startTimes == [] && batch.latestStart == nil)
  }

  @Test("Where no rate counts any more, a time that is told does not matter")
  func uncountedStarts() {
    var batch = filled()
    #expect(batch.takeNext(after: 10, for: 7, at: .seconds(1))?.work == "a")
    #expect(batch.takeBack().startTimes == [])
  }

  @Test("An empty batch has nothing to take, and nothing to take back")
  func nothing() {
    var batch = Batch()
    #expect(batch.takeNext(after: 1, for: 7) == nil)
    let remainder = batch.takeBack()
    #expect(remainder.replacements.isEmpty && remainder.items.isEmpty)
  }

  @Test("A batch that was taken back is empty, and gives its replacements once")
  func takenBack() {
    var batch = filled()
    _ = batch.takeNext(after: 10, for: 7)
    _ = batch.takeBack()

    #expect(batch.takeNext(after: 1, for: 7) == nil)
    let remainder = batch.takeBack()
    #expect(remainder.replacements.isEmpty && remainder.items.isEmpty)
  }

  @Test("A child task of other traits has to take a turn")
  func otherTraits() {
    var batch = filled()
    #expect(batch.takeNext(after: 10, for: 8) == nil)
    #expect(batch.takeNext(after: 10, for: 7)?.work == "a")
  }

  @Test("Once something was posted that may come first, nothing is taken, and the next turn gets the rest back")
  func outdated() {
    var batch = filled()
    #expect(batch.takeNext(after: 10, for: 7)?.work == "a")

    batch.posted(nil)

    #expect(batch.takeNext(after: 11, for: 7) == nil)
    let remainder = batch.takeBack()
    #expect(remainder.replacements == [Batch.Replacement(finished: 10, started: 1)])
    #expect(remainder.items.map(\.work) == ["c", "b"])
  }

  @Test("Operations posted at or below the priority of the last item do not outdate the batch")
  func laterOnes() {
    for last in QueuePriority.allCases {
      for posted in QueuePriority.allCases {
        var batch = filled(priority: last)
        batch.posted(posted)
        #expect((batch.takeNext(after: 10, for: 7) == nil) == (posted > last), "\(posted), last \(last)")
      }
    }
  }

  @Test("Of several posted operations the highest counts")
  func highestPosted() {
    var batch = filled()
    batch.posted(.high)
    batch.posted(.low)
    #expect(batch.takeNext(after: 10, for: 7) == nil)
  }

  @Test("What was posted before a turn does not outdate the batch that the turn fills")
  func afterTurn() {
    var batch = Batch()
    batch.posted(nil)
    batch.posted(.veryHigh)
    _ = batch.takeBack()
    batch.fill(Self.content(["a"], priority: .veryLow))
    #expect(batch.takeNext(after: 10, for: 7)?.work == "a")
  }

  @Test("What was posted during a turn, before the batch is filled, outdates it")
  func duringTurn() {
    var batch = Batch()
    _ = batch.takeBack()
    batch.posted(nil)
    batch.fill(Self.content(["a"]))
    #expect(batch.takeNext(after: 10, for: 7) == nil)
  }

  /// Fills a batch with so many, has so many of them used, and takes the rest back.
  ///
  /// - Returns: How many to choose next.
  private func nextSize(_ batch: inout Batch, _ count: Int, used: Int) -> Int {
    batch.fill(Self.content(Array(repeating: "a", count: count)))
    for _ in 0..<used { _ = batch.takeNext(after: 10, for: 7) }
    return batch.takeBack().nextSize
  }

  @Test("A whole batch that was used up is followed by a larger one, one that was not by a smaller one")
  func sizes() {
    var batch = Batch()
    var size = 1
    for expected in [2, 4, 8, 16, 32, 64, 128, 256, 512, 512] {
      size = nextSize(&batch, size, used: size)
      #expect(size == expected)
    }
    for expected in [256, 128, 64] {
      size = nextSize(&batch, size, used: size - 1)
      #expect(size == expected)
    }
    #expect(nextSize(&batch, 70, used: 70) == 128, "more than were wanted")
    for _ in 0..<10 { size = nextSize(&batch, 1, used: 0) }
    #expect(size == 1)
  }

  @Test("A batch of fewer than were wanted does not make the next one larger, and smaller where some were left")
  func sizeOfPart() {
    var batch = Batch()
    for size in [1, 2, 4] { _ = nextSize(&batch, size, used: size) }
    #expect(nextSize(&batch, 7, used: 7) == 8)
    #expect(nextSize(&batch, 1, used: 1) == 8)
    #expect(nextSize(&batch, 7, used: 6) == 4)
  }

  @Test("A batch that was filled with nothing, so that others may join, leaves the size as it is")
  func sizeAfterNothing() {
    var batch = Batch()
    for joining in [Batch.Joining.everything, .freeSlots(1)] {
      batch.fill(Self.content([], joining: joining))
      #expect(batch.takeBack().nextSize == 1)
    }
  }

  @Test("Filling a batch that is in use stops the program")
  func filledTwice() async {
    await #expect(processExitsWith: .failure) {
      var batch = PrefetchedBatch<String, Int>()
      for _ in 0..<2 { batch.fill(PrefetchedBatch.Content(items: [], traits: 7)) }
    }
  }
}
