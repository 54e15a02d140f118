import Testing

@testable import StructuredOperations

// Operations that end and become ready while slots are free.
extension PrefetchedBatchTests {
  @Test("While slots are free as many join as these, and the one that begins; others go to a turn, or to later ends")
  func freeSlots() {
    var batch = Self.batch([], .freeSlots(2))
    #expect(!batch.needsTurn)
    #expect(Self.end(&batch, Self.arrivals([1, 2, 3, 4])) == .turn, "more than slots")
    #expect(Self.end(&batch, Self.arrivals([5])) == Result(next: "ready 5"))
    #expect(!batch.needsTurn, "the one that has joined has begun")

    #expect(Self.end(&batch, Self.arrivals([3, 1, 2])) == Result(next: "ready 1", items: ["ready 2", "ready 3"]))
    #expect(batch.needsTurn)
    #expect(Self.end(&batch, Self.arrivals([4, 5])) == .turn, "both slots are given")
    #expect(Self.end(&batch, Self.arrivals([4])) == Result(next: "ready 2", items: ["ready 3", "ready 4"]))
    #expect(batch.takeNext(after: 102, for: 8) == nil, "taken by a child task of other traits")
    #expect(batch.takeNext(after: 102, for: 7)?.work == "ready 3")
    #expect(batch.needsTurn)
    #expect(batch.takeNext(after: 103, for: 7)?.work == "ready 4")
    #expect(!batch.needsTurn)
    #expect(batch.takeNext(after: 104, for: 7) == nil)
  }

  @Test("While slots are free nothing is left for the next turn: what cannot join takes one")
  func noneLate() {
    var batch = Self.batch([], .freeSlots(5))
    #expect(Self.end(&batch, Self.arrivals([1, 2])) == Result(next: "ready 1", items: ["ready 2"]))
    #expect(Self.end(&batch, Self.arrivals([3]) { _ in false }) == .turn)
    #expect(Self.end(&batch, Self.arrivals([3]), since: 0) == .turn)
    #expect(Self.end(&batch, Self.arrivals([3]), for: 8) == .turn)
  }

  @Test("Only where slots are free and nothing is chosen does an end leave its slot free, for which others may join")
  func leavingSlots() {
    var batch = Self.batch([], .freeSlots(0))
    #expect(Self.end(&batch, Self.arrivals([1, 2])) == .turn)
    #expect(batch.leaveSlot(after: 50) == true)
    #expect(Self.end(&batch, Self.arrivals([1, 2])) == Result(next: "ready 1", items: ["ready 2"]))
    #expect(batch.leaveSlot(after: 51) == false, "there is one that has the slot")
    #expect(batch.takeNext(after: 51, for: 7)?.work == "ready 2")
    #expect(batch.leaveSlot(after: 101) == true)
    batch.posted(nil)
    #expect(batch.leaveSlot(after: 102) == false)

    #expect(
      batch.takeBack().replacements == [
        Batch.Replacement(finished: 50), Batch.Replacement(finished: 50, started: 101, hasJoined: true),
        Batch.Replacement(finished: 51, started: 102, hasJoined: true), Batch.Replacement(finished: 101),
      ])
    #expect(batch.leaveSlot(after: 102) == false, "there is no batch")
  }

  @Test(
    "Where all slots are taken no end leaves its slot", arguments: [Batch.Joining.nothing, .beforeLast, .everything])
  private func noneLeft(joining: Batch.Joining) {
    var batch = Self.batch([], joining)
    #expect(batch.leaveSlot(after: 50) == false)
    #expect(batch.takeBack().replacements.isEmpty)
  }

  @Test("However many leave their slots free, there is a turn from time to time")
  func boundOfFreeSlots() {
    var batch = Self.batch([], .freeSlots(0))
    var count = 0
    while count < 10_000, batch.leaveSlot(after: count) { count += 1 }
    #expect(count == 2 * Batch.largestSize)
    #expect(Self.end(&batch, Self.arrivals([1])) == .turn)
  }
}
