import StructuredOperations
import Testing

@testable import StructuredOperationsInsight

/// Bodies that wait for everything in a queue.
extension ReplayTests {
  /// A body adds eight operations of 10 s to a queue, waits for the queue, which had one slot, and works for 1 s more.
  private func parts(background: Bool = false) -> OperationHistory {
    var recording = Recording()
    let (body, queue, other) = (Token(), Token(), Token())
    recording.add(body)
    recording.start(body)
    let parts = (0..<8).map { _ in Token() }
    for part in parts { recording.add(part, to: queue, by: body) }
    if background { recording.add(other, by: body) }
    recording.beginWait(body, queue: queue)
    for part in parts {
      recording.start(part)
      recording.wait(10)
      recording.finish(part)
    }
    recording.endWait(body)
    if background { recording.start(other) }
    recording.wait(1)
    recording.finish(body)
    if background {
      recording.wait(99)
      recording.finish(other)
    }
    return recording.history
  }

  @Test(
    "The wait for a queue is over when all has finished that the body had added to it",
    arguments: [(1, 81), (2, 41), (8, 11), (.max, 11)])
  func queueWait(width: Int, seconds: Int) {
    #expect(parts().duration(atWidth: width) == .seconds(seconds))
  }

  @Test("On the critical path is the one whose end ended the wait")
  func criticalPathThroughQueue() {
    #expect(parts().criticalPath.map(\.id) == [1, 9])
  }

  @Test("What the body has added to another queue is not waited for")
  func background() {
    // It begins as the wait does, and lasts as long as it did.
    #expect(parts(background: true).duration(atWidth: .max) == .seconds(100))
    #expect(parts(background: true).criticalPath.map(\.id) == [1, 10])
  }

  @Test(
    "Of what the body has not added, the one is waited for whose end left the queue empty, and nothing that came after it"
  )
  func addedByOthers() {
    var recording = Recording()
    let (body, queue) = (Token(), Token())
    let (first, second, late) = (Token(), Token(), Token())
    recording.add(first, to: queue)
    recording.add(second, to: queue)
    recording.add(body)
    recording.start(body)
    recording.beginWait(body, queue: queue)
    for operation in [first, second] {
      recording.start(operation)
      recording.wait(10)
      recording.finish(operation)
    }
    // The body waits for its slot.
    recording.wait(1)
    recording.add(late, to: queue)
    recording.start(late)
    recording.wait(30)
    recording.finish(late)
    recording.endWait(body)
    recording.wait(5)
    recording.finish(body)
    #expect(recording.history.duration(atWidth: 1) == .seconds(51))
    #expect(recording.history.duration(atWidth: 2) == .seconds(51))
    #expect(recording.history.operations[2].spans.map(\.queueNumber) == [nil, 1, nil])
    // Without what came later.
    let early = OperationHistory(operations: Array(recording.history.operations.prefix(3)), time: .seconds(56))
    #expect(early.duration(atWidth: 1) == .seconds(25))
    #expect(early.duration(atWidth: 2) == .seconds(15))
    #expect(early.criticalPath.map(\.id) == [2, 3])
  }

  @Test("A queue that the body is in does not become empty: the last that finished meanwhile is waited for")
  func ownQueue() {
    var recording = Recording()
    let (body, other, dependent) = (Token(), Token(), Token())
    recording.add(body)
    recording.add(other)
    recording.add(dependent, after: [body])
    recording.start(body)
    recording.wait(1)
    recording.beginWait(body, queue: recording.queue)
    recording.start(other)
    recording.wait(10)
    recording.finish(other)
    recording.endWait(body)
    recording.wait(1)
    recording.finish(body)
    recording.ready(dependent, after: body)
    recording.start(dependent, after: [body])
    recording.wait(1)
    recording.finish(dependent)
    #expect(recording.history.duration(atWidth: 1) == .seconds(13))
    #expect(recording.history.duration(atWidth: 2) == .seconds(12))
  }

  @Test(
    "A body that waits for its own queue waits for no other one that does so, nor for itself, also where both end at once"
  )
  func waitersInOneQueue() {
    var recording = Recording()
    let (other, one, two, dependent) = (Token(), Token(), Token(), Token())
    for operation in [other, one, two] { recording.add(operation) }
    recording.add(dependent, after: [two])
    for operation in [other, one, two] { recording.start(operation) }
    for body in [one, two] { recording.beginWait(body, queue: recording.queue) }
    recording.wait(10)
    recording.finish(other)
    recording.endWait(one)
    recording.finish(one)
    // It gets its slot when the first one has ended.
    recording.wait(10)
    recording.endWait(two)
    recording.finish(two)
    recording.ready(dependent, after: two)
    recording.start(dependent, after: [two])
    recording.wait(5)
    recording.finish(dependent)
    #expect(recording.history.duration(atWidth: .max) == .seconds(15))
    #expect(recording.history.criticalPath.map(\.id) == [1, 3, 4])
  }

  @Test("What a body adds at the very end of its wait is not waited for, where it takes no time")
  func addedAfterWait() {
    var recording = Recording()
    let (body, other, dependent, late) = (Token(), Token(), Token(), Token())
    recording.add(body)
    recording.start(body)
    recording.add(other, by: body)
    // So the queue does not become empty.
    recording.add(dependent, after: [body])
    recording.beginWait(body, queue: recording.queue)
    recording.start(other)
    recording.wait(10)
    recording.finish(other)
    recording.endWait(body)
    recording.add(late, by: body)
    recording.start(late)
    recording.finish(late)
    recording.wait(5)
    recording.finish(body)
    recording.start(dependent, after: [body])
    recording.wait(1)
    recording.finish(dependent)
    #expect(recording.history.duration(atWidth: 1) == .seconds(16))
    #expect(recording.history.criticalPath.map(\.id) == [1, 2, 3])
  }

  @Test(
    "Where at equal times what waits for the body seems to have ended its wait, the wait ends, and the rest goes on")
  func waitInVain() {
    var recording = Recording()
    let (body, other, dependent, last) = (Token(), Token(), Token(), Token())
    recording.add(body)
    recording.start(body)
    recording.add(other, by: body)
    recording.add(dependent, after: [body], by: body)
    recording.beginWait(body, queue: recording.queue)
    recording.start(other)
    recording.wait(10)
    recording.finish(other)
    recording.endWait(body)
    recording.finish(body)
    recording.ready(dependent, after: body)
    recording.start(dependent, after: [body])
    recording.finish(dependent)
    recording.add(last, after: [dependent])
    recording.start(last, after: [dependent])
    recording.wait(5)
    recording.finish(last)
    #expect(recording.history.duration(atWidth: 1) == .seconds(15))
  }

  @Test("A wait for a queue that has not ended lasts to the end of the history")
  func openWait() {
    var recording = Recording()
    let (body, queue, first, second) = (Token(), Token(), Token(), Token())
    recording.add(body)
    recording.start(body)
    for part in [first, second] { recording.add(part, to: queue, by: body) }
    recording.beginWait(body, queue: queue)
    recording.start(first)
    recording.wait(1)
    recording.finish(first)
    recording.wait(9)
    #expect(recording.history.duration(atWidth: .max) == .seconds(10))
  }

  @Test("A body that waits for two queues waits in each for what it has added there")
  func twoQueues() {
    var recording = Recording()
    let (body, one, two) = (Token(), Token(), Token())
    let (slow, quick, others) = (Token(), Token(), Token())
    recording.add(others, to: two)
    recording.add(body)
    recording.start(body)
    recording.start(others)
    recording.add(slow, to: one, by: body)
    recording.add(quick, to: two, by: body)
    recording.beginWait(body, queue: one)
    recording.start(slow)
    recording.start(quick)
    recording.wait(1)
    recording.finish(quick)
    recording.wait(4)
    recording.finish(slow)
    recording.endWait(body)
    recording.beginWait(body, queue: two)
    recording.wait(3)
    recording.finish(others)
    recording.endWait(body)
    recording.wait(1)
    recording.finish(body)
    #expect(recording.history.duration(atWidth: .max) == .seconds(9))
    #expect(recording.history.duration(atWidth: 1) == .seconds(10))
  }

  @Test(
    "Each of several waits is for what was added before it, and the wait for a queue of others takes as long as it did")
  func severalWaits() {
    var recording = Recording()
    let (body, queue) = (Token(), Token())
    recording.add(body)
    recording.start(body)
    for _ in 0..<2 {
      let parts = [Token(), Token()]
      for part in parts { recording.add(part, to: queue, by: body) }
      recording.beginWait(body, queue: queue)
      for part in parts {
        recording.start(part)
        recording.wait(10)
        recording.finish(part)
      }
      recording.endWait(body)
      recording.wait(1)
    }
    recording.beginWait(body, queue: Token())
    recording.wait(3)
    recording.endWait(body)
    recording.finish(body)
    #expect(recording.history.duration(atWidth: 1) == .seconds(45))
    #expect(recording.history.duration(atWidth: 2) == .seconds(25))
  }

  @Test("30 000 waits for a queue to which each adds, and one for 30 000, take no square of them")
  func manyWaits() {
    var recording = Recording(capacity: .max)
    let (body, queue) = (Token(), Token())
    recording.add(body)
    recording.start(body)
    for _ in 0..<30_000 {
      let part = Token()
      recording.add(part, to: queue, by: body)
      recording.beginWait(body, queue: queue)
      recording.start(part)
      recording.wait(1)
      recording.finish(part)
      recording.endWait(body)
    }
    let parts = (0..<30_000).map { _ in Token() }
    for part in parts { recording.add(part, to: queue, by: body) }
    recording.beginWait(body, queue: queue)
    for part in parts { recording.start(part) }
    recording.wait(1)
    for part in parts { recording.finish(part) }
    recording.endWait(body)
    recording.finish(body)
    #expect(recording.history.duration(atWidth: .max) == .seconds(30_001))
    #expect(recording.history.criticalPath.count == 30_002)
  }
}
