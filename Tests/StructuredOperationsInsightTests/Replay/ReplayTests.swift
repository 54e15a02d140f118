import StructuredOperations
import Testing

@testable import StructuredOperationsInsight

@Suite("Replays of a history with other limits")
struct ReplayTests {
  @Test("Independent operations", arguments: [(1, 15), (2, 8), (3, 5), (.max, 5)])
  func independent(width: Int, seconds: Int) {
    var schedule = Schedule()
    for seconds in [5, 4, 3, 2, 1] { schedule.add(seconds) }
    #expect(schedule.history.duration(atWidth: width) == .seconds(seconds))
    #expect(schedule.history.criticalPath.map(\.id) == [0])
  }

  @Test("Priorities decide, among the same ones the order of addition", arguments: [(1, 9), (2, 6)])
  func priorities(width: Int, seconds: Int) {
    var schedule = Schedule()
    schedule.add(2, priority: .low)
    schedule.add(1)
    let high = schedule.add(3, priority: .high)
    schedule.add(3, after: high)
    #expect(schedule.history.duration(atWidth: width) == .seconds(seconds))
  }

  @Test("Random graphs: as scheduled from second to second, and without limit the longest path", arguments: 0..<30)
  func random(seed: UInt64) {
    let schedule = Schedule.random(20, seed: seed)
    let history = schedule.history
    for width in [1, 2, 3, 7] {
      #expect(history.duration(atWidth: width) == .seconds(schedule.duration(atWidth: width)), "\(width)")
    }
    #expect(history.duration(atWidth: 1) == history.duration)
    #expect(history.duration(atWidth: .max) == .seconds(schedule.longestPath))
    let path = history.criticalPath
    #expect(path.reduce(.zero) { $0 + $1.duration(.executing) } == .seconds(schedule.longestPath))
    for (one, next) in zip(path, path.dropFirst()) { #expect(next.dependencies.contains(one.id)) }
  }

  @Test("A chain of 100 000 operations needs no stack")
  func longChain() {
    var schedule = Schedule()
    schedule.add(1)
    for number in 1..<100_000 { schedule.add(1, after: number - 1) }
    let history = schedule.history
    #expect(history.criticalPath.map(\.id) == Array(0..<100_000))
    #expect(history.duration(atWidth: 1) == .seconds(100_000))
  }

  @Test("A body that adds 100 000 operations and waits for each takes no square of them")
  func longBody() {
    var recording = Recording(capacity: .max)
    let parent = Token()
    recording.add(parent)
    recording.start(parent)
    for _ in 0..<100_000 {
      let child = Token()
      recording.add(child, by: parent)
      recording.beginWait(parent, for: child)
      recording.start(child)
      recording.wait(1)
      recording.finish(child)
      recording.endWait(parent)
    }
    recording.finish(parent)
    let history = recording.history
    #expect(history.duration(atWidth: 1) == .seconds(100_000))
    #expect(history.criticalPath.count == 100_001)
  }

  // MARK: Additions

  @Test("Additions from outside come at their times")
  func lateAddition() {
    var recording = Recording()
    let (one, two) = (Token(), Token())
    recording.wait(7)
    recording.add(one)
    recording.start(one)
    recording.wait(1)
    recording.finish(one)
    recording.wait(9)
    recording.add(two)
    recording.start(two)
    recording.wait(2)
    recording.finish(two)
    #expect(recording.history.duration == .seconds(12))
    #expect(recording.history.duration(atWidth: 1) == .seconds(12))
    #expect(recording.history.criticalPath.map(\.id) == [2])
  }

  @Test("What bodies add comes in the order in which it is added in the replay, not in the recording")
  func orderOfAdditions() {
    var recording = Recording()
    let (long, longer, short) = (Token(), Token(), Token())
    let (ofLong, ofShort) = (Token(), Token())
    for operation in [long, longer, short] {
      recording.add(operation)
      recording.start(operation)
    }
    recording.wait(5)
    recording.add(ofShort, by: short)
    recording.finish(short)
    recording.start(ofShort)
    recording.wait(1)
    recording.finish(ofShort)
    recording.wait(4)
    recording.add(ofLong, by: long)
    recording.finish(long)
    recording.start(ofLong)
    recording.wait(20)
    recording.finish(ofLong)
    recording.finish(longer)
    // Long and longer begin. Short runs from 10 to 15, so that what long adds was added first, and runs from 15 to 35.
    #expect(recording.history.duration(atWidth: 2) == .seconds(35))
    #expect(recording.history.duration(atWidth: .max) == .seconds(30))
  }

  /// A child task of the body adds what the body waits for.
  @Test("What is added and ends at the very end of a wait comes in that wait, since it may be what the wait is for")
  func additionEndsWait() {
    var recording = Recording()
    let (parent, child) = (Token(), Token())
    recording.add(parent)
    recording.start(parent)
    recording.beginWait(parent, for: child)
    recording.wait(3)
    recording.add(child, by: parent)
    recording.start(child)
    recording.finish(child)
    recording.endWait(parent)
    recording.wait(1)
    recording.finish(parent)
    #expect(recording.history.duration(atWidth: .max) == .seconds(4))
    #expect(recording.history.criticalPath.map(\.id) == [1, 2])
  }

  @Test("What takes no time and is added at the end of a wait for something else comes after that wait")
  func additionAfterWait() {
    var recording = Recording()
    let (parent, long, awaited, child) = (Token(), Token(), Token(), Token())
    for operation in [parent, long, awaited] { recording.add(operation) }
    recording.start(parent)
    recording.beginWait(parent, for: awaited)
    recording.start(long)
    recording.wait(2)
    recording.finish(long)
    recording.start(awaited)
    recording.wait(1)
    recording.finish(awaited)
    recording.endWait(parent)
    recording.add(child, by: parent)
    recording.beginWait(parent, for: child)
    recording.start(child)
    recording.finish(child)
    recording.endWait(parent)
    recording.wait(1)
    recording.finish(parent)
    #expect(recording.history.duration == .seconds(4))
    #expect(recording.history.duration(atWidth: 2) == .seconds(2))
  }

  /// The parent is ready for 4 s, works for 1 s, adds a child of 3 s to its own queue, and works for 1 s more.
  private func family(waits: Bool) -> OperationHistory {
    var recording = Recording()
    let (first, parent, child) = (Token(), Token(), Token())
    recording.add(first)
    recording.add(parent)
    recording.start(first)
    recording.wait(4)
    recording.finish(first)
    recording.start(parent)
    recording.wait(1)
    recording.add(child, by: parent)
    if waits {
      recording.beginWait(parent, for: child)
      recording.start(child)
      recording.wait(3)
      recording.finish(child)
      recording.endWait(parent)
      recording.wait(1)
      recording.finish(parent)
    } else {
      recording.wait(1)
      recording.finish(parent)
      recording.start(child)
      recording.wait(3)
      recording.finish(child)
    }
    return recording.history
  }

  @Test("What a body adds comes when the body gets there", arguments: [(1, 9), (2, 5), (3, 4)])
  func addedByBody(width: Int, seconds: Int) {
    #expect(family(waits: false).duration(atWidth: width) == .seconds(seconds))
  }

  @Test("A body that waits lends its slot", arguments: [(1, 9), (2, 5)])
  func lending(width: Int, seconds: Int) {
    let history = family(waits: true)
    #expect(history.duration(atWidth: width) == .seconds(seconds))
    #expect(history.criticalPath.map(\.id) == [2, 3])
  }

  @Test("A wait for something that is not in the history takes as long as it did")
  func untoldWait() {
    var recording = Recording()
    let one = Token()
    recording.add(one)
    recording.start(one)
    recording.wait(1)
    recording.beginWait(one, for: Token())
    recording.wait(5)
    recording.endWait(one)
    recording.wait(1)
    recording.finish(one)
    #expect(recording.history.duration(atWidth: 3) == .seconds(7))
  }

  @Test("A body whose wait ends together with another one has that one's slot ahead of what has not begun")
  func waitEndsWithAnother() {
    var recording = Recording()
    let (other, waiting, third, last) = (Token(), Token(), Token(), Token())
    for operation in [other, waiting, third, last] { recording.add(operation) }
    recording.start(other)
    recording.start(waiting)
    recording.wait(1)
    recording.beginWait(waiting, for: Token())
    recording.start(third)
    recording.wait(4)
    recording.finish(other)
    recording.endWait(waiting)
    recording.wait(10)
    recording.finish(waiting)
    recording.start(last)
    recording.wait(6)
    recording.finish(third)
    recording.wait(94)
    recording.finish(last)
    #expect(recording.history.duration == .seconds(115))
    #expect(recording.history.duration(atWidth: 2) == .seconds(115))
  }

  @Test("A body whose wait takes no time lends its slot all the same")
  func shortWait() {
    var recording = Recording()
    let (waiting, next, last, elsewhere) = (Token(), Token(), Token(), Token())
    recording.add(waiting)
    recording.add(next)
    recording.add(last, to: elsewhere, after: [next])
    recording.start(waiting)
    recording.wait(5)
    recording.beginWait(waiting, for: Token())
    recording.endWait(waiting)
    recording.wait(5)
    recording.finish(waiting)
    recording.start(next)
    recording.wait(1)
    recording.finish(next)
    recording.ready(last, after: next)
    recording.start(last, after: [next])
    recording.wait(10)
    recording.finish(last, after: [next])
    #expect(recording.history.duration == .seconds(21))
    #expect(recording.history.duration(atWidth: 1) == .seconds(16))
  }

  @Test("What was blocked by something that is not in the history is blocked as long as it was")
  func untoldDependency() {
    var recording = Recording()
    let (one, other) = (Token(), Token())
    recording.add(one, after: [other])
    recording.wait(5)
    recording.ready(one, after: other)
    recording.wait(1)
    recording.start(one)
    recording.wait(1)
    recording.finish(one)
    #expect(recording.history.duration(atWidth: 1) == .seconds(6))
  }
}
