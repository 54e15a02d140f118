import StructuredOperations
import Testing

@testable import StructuredOperationsInsight

@Suite("JournalStateMachine")
struct JournalStateMachineTests {
  private let one = Token()
  private let two = Token()
  private let three = Token()

  // MARK: Spans

  @Test("An operation is blocked, ready, executing, waiting and executing, one after the other")
  func spans() throws {
    var recording = Recording()
    recording.add(one)
    recording.add(two, "two", after: [one])
    recording.wait(1)
    recording.start(one)
    recording.wait(2)
    recording.finish(one)
    recording.ready(two, after: one)
    recording.wait(1)
    recording.start(two, after: [one], .high)
    recording.wait(3)
    recording.add(three, by: two)
    recording.beginWait(two, for: three)
    recording.start(three)
    recording.wait(5)
    recording.finish(three)
    recording.endWait(two)
    recording.wait(1)
    recording.finish(two)

    let entry = recording.history.operations[1]
    #expect(
      entry.story == [
        "blocked 0-3 for 1", "ready 3-4", "executing 4-7 in 1", "waiting 7-12 for 3", "executing 12-13 in 1",
      ])
    #expect(entry.name == "two" && entry.queue == "queue" && entry.queuePriority == .high)
    #expect(entry.outcome == .succeeded && !entry.isCancelled && entry.finishedAt == .seconds(13))
    #expect(entry.duration(.executing) == .seconds(4) && entry.duration(.ready) == .seconds(1))
    #expect(recording.history.operations[2].parent == 2)
  }

  @Test("What blocks an operation again and lets it go makes spans of their own")
  func blockedAgain() {
    var recording = Recording()
    recording.add(one)
    recording.wait(1)
    recording.block(one, by: [two])
    recording.wait(1)
    recording.ready(one)
    recording.wait(1)
    recording.start(one)
    #expect(recording.history.operations[0].story == ["ready 0-1", "blocked 1-2", "ready 2-3", "executing 3-3 in 1"])
    #expect(recording.history.operations[0].dependencies == [])
  }

  @Test("One that a dependency keeps from running was blocked until the one had finished that did so last")
  func failedDependency() {
    var recording = Recording()
    recording.add(one)
    recording.add(two)
    recording.add(three, after: [one, two])
    for (seconds, token) in [(1, two), (2, one)] {
      recording.start(token)
      recording.wait(seconds)
      recording.finish(token)
    }
    recording.finish(three, .failed("dependency"), after: [one, two])
    #expect(recording.history.operations[2].story == ["blocked 0-3 for 1"])
    #expect(recording.history.operations[2].dependencies == [1, 2])
  }

  @Test("A dependency that was removed before the operation left unrun is none, one that was freed stays")
  func removedAndFreedDependencies() {
    var recording = Recording()
    recording.add(one)
    do {
      let freed = Token()
      recording.run(freed)
      recording.add(three, after: [one, two, freed])
    }
    recording.add(two)
    recording.start(two)
    recording.finish(two, .failed("two"))
    recording.finish(three, .failed("dependency"), after: [two])
    // One is alive.
    recording.start(one)
    #expect(recording.history.operations.map(\.dependencies) == [[], [], [4, 2], []])
  }

  @Test("Unfinished operations are told up to the time of asking")
  func unfinished() {
    var recording = Recording()
    recording.add(one)
    recording.start(one)
    recording.add(two, after: [one])
    recording.wait(4)
    let history = recording.history
    #expect(history.operations.map(\.story) == [["executing 0-4 in 1"], ["blocked 0-4"]])
    #expect(history.operations.allSatisfy { $0.outcome == .unfinished && $0.finishedAt == nil })
    #expect(history.duration == .seconds(4) && history.utilization == 1)
    recording.wait(1)
    recording.finish(one)
    #expect(history.operations[0].outcome == .unfinished)
  }

  @Test("One that was cancelled before its adding has one span, and none where it left at once")
  func cancelledBefore() {
    var recording = Recording()
    recording.add(one, isCancelled: true)
    recording.finish(one, .cancelled, isCancelled: true)
    recording.add(two, isCancelled: true)
    recording.wait(2)
    recording.finish(two, .cancelled, isCancelled: true)
    #expect(recording.history.operations.map(\.story) == [[], ["ready 0-2"]])
    #expect(recording.history.operations.allSatisfy { $0.isCancelled && $0.outcome == .cancelled })
  }

  @Test("Time does not go back")
  func monotone() {
    var recording = Recording()
    recording.wait(5)
    recording.add(one)
    recording.turnBack(2)
    recording.start(one)
    recording.wait(1)
    recording.finish(one)
    #expect(recording.history.operations[0].story == ["executing 5-5 in 1"])
    #expect(recording.history.time == .seconds(5))
  }

  @Test("Events that come twice count once")
  func twice() {
    var recording = Recording()
    for _ in 0..<2 { recording.add(one) }
    recording.wait(1)
    for _ in 0..<2 { recording.start(one) }
    recording.wait(1)
    for _ in 0..<2 { recording.beginWait(one) }
    recording.wait(1)
    for _ in 0..<2 { recording.endWait(one) }
    for _ in 0..<2 { recording.cancel(one) }
    recording.wait(1)
    for _ in 0..<2 { recording.finish(one) }
    recording.run(two)
    #expect(
      recording.history.operations.map(\.story) == [
        ["ready 0-1", "executing 1-2 in 1", "waiting 2-3", "executing 3-4 in 1"], ["executing 4-4 in 1"],
      ])
  }

  @Test("Of an operation that is not known only the adding is noted")
  func unknown() {
    var recording = Recording()
    recording.block(one, by: [])
    recording.ready(one)
    recording.cancel(one)
    recording.beginWait(one)
    recording.endWait(one)
    let areKnown = [recording.start(one), recording.finish(one)]
    #expect(areKnown == [false, false])
    #expect(recording.history.operations.isEmpty)
    recording.addByHand(one, "by hand")
    recording.start(one)
    recording.wait(1)
    recording.finish(one)
    #expect(recording.history.operations.map(\.story) == [["executing 0-1 in 1"]])
    #expect(recording.history.operations[0].queue == nil)
  }

  // MARK: Slots

  @Test("The smallest free slot is taken, and lent while a body waits")
  func slots() {
    var recording = Recording()
    for token in [one, two, three] { recording.add(token) }
    recording.start(one)
    recording.start(two)
    recording.beginWait(one)
    recording.start(three)
    recording.endWait(one)
    recording.finish(two)
    #expect(
      recording.history.operations.map { $0.spans.map(\.slot) } == [[1, nil, 3], [2], [1]])
  }

  @Test("Each queue numbers its slots, and so do those that were started by hand")
  func slotsOfQueues() {
    var recording = Recording()
    recording.add(one)
    recording.add(two, to: Token(), named: "other")
    recording.addByHand(three)
    for token in [one, two, three] { recording.start(token) }
    #expect(recording.history.operations.map { $0.spans.map(\.slot) } == [[1], [1], [1]])
    #expect(recording.history.operations.map(\.queue) == ["queue", "other", nil])
    #expect(recording.history.operations.map(\.queueNumber) == [1, 2, 0])
  }
}
