import StructuredOperations
import Testing

@testable import StructuredOperationsInsight

extension ReplayTests {
  @Test("Operations that did not run take neither a slot nor time", arguments: [(1, 5), (2, 4), (.max, 4)])
  func unrun(width: Int, seconds: Int) {
    var recording = Recording()
    let (slow, bad, after, cancelled) = (Token(), Token(), Token(), Token())
    for token in [slow, bad] { recording.add(token) }
    recording.add(after, after: [bad])
    recording.add(cancelled)
    recording.start(slow)
    recording.wait(4)
    recording.finish(slow)
    recording.start(bad)
    recording.wait(1)
    recording.finish(bad, .failed("broken"))
    recording.finish(after, .failed("broken"), after: [bad])
    recording.wait(5)
    recording.finish(cancelled, .cancelled, isCancelled: true)
    let history = recording.history
    #expect(history.duration == .seconds(10))
    #expect(history.duration(atWidth: width) == .seconds(seconds))
    #expect(history.criticalPath.map(\.id) == [1])
  }

  @Test("What depends on one that leaves unrun is ready before the slot of the failed one is given away")
  func readyThroughUnrun() {
    var recording = Recording()
    let (bad, left, next, long, last) = (Token(), Token(), Token(), Token(), Token())
    recording.add(bad)
    recording.add(left, after: [bad])
    recording.add(next, after: [left])
    recording.add(long)
    recording.add(last, to: Token(), named: "elsewhere", after: [next])
    recording.start(bad)
    recording.wait(1)
    recording.finish(bad, .failed("broken"))
    recording.finish(left, .failed("broken"), after: [bad])
    recording.ready(next, after: left)
    recording.start(next, after: [left])
    recording.wait(1)
    recording.finish(next)
    recording.ready(last, after: next)
    recording.start(long)
    recording.start(last, after: [next])
    recording.wait(4)
    recording.finish(long)
    recording.finish(last)
    #expect(recording.history.duration == .seconds(6))
    #expect(recording.history.duration(atWidth: 1) == .seconds(6))
  }

  @Test("Where nothing has run, nothing takes time")
  func allUnrun() {
    var recording = Recording()
    let (one, two) = (Token(), Token())
    recording.add(one)
    recording.add(two, after: [one])
    recording.wait(3)
    recording.finish(one, .cancelled, isCancelled: true)
    recording.finish(two, .failed("cancelled"), after: [one])
    #expect(recording.history.duration(atWidth: 1) == .zero)
    #expect(recording.history.criticalPath.isEmpty)
  }

  @Test("What depends on one that did not run begins when that leaves: with its dependency, or as long after as it did")
  func afterUnrun() {
    var recording = Recording()
    let (bad, left, cancelled, one, two) = (Token(), Token(), Token(), Token(), Token())
    recording.add(bad)
    recording.add(left, after: [bad])
    recording.add(cancelled)
    recording.add(one, after: [left])
    recording.add(two, after: [cancelled])
    recording.wait(1)
    recording.start(bad)
    recording.wait(2)
    recording.finish(bad, .failed("broken"))
    recording.finish(left, .failed("broken"), after: [bad])
    recording.ready(one, after: left)
    recording.start(one, after: [left])
    recording.wait(1)
    recording.finish(one)
    recording.wait(5)
    recording.finish(cancelled, .cancelled, isCancelled: true)
    recording.ready(two, after: cancelled)
    recording.start(two, after: [cancelled])
    recording.wait(1)
    recording.finish(two)
    let history = recording.history
    #expect(history.duration(atWidth: 1) == .seconds(10))
    #expect(history.criticalPath.map(\.id) == [3, 5])
  }

  @Test("Bodies that have not ended end where the history does; what has not begun is left out")
  func unfinished() {
    var recording = Recording()
    let (one, two, three) = (Token(), Token(), Token())
    for token in [one, two] { recording.add(token) }
    recording.add(three, after: [one])
    recording.start(one)
    recording.wait(2)
    recording.beginWait(one, for: two)
    recording.start(two)
    recording.wait(3)
    #expect(recording.history.duration(atWidth: 1) == .seconds(5))
    #expect(recording.history.duration(atWidth: 2) == .seconds(5))
    #expect(recording.history.criticalPath.map(\.id) == [1])
  }

  @Test("A width below 1 is a programming error")
  func noWidth() async {
    await #expect(processExitsWith: .failure) { _ = OperationHistory(operations: [], time: .zero).duration(atWidth: 0) }
  }

  @Test("The utilization counts the slots that were used")
  func utilization() {
    var recording = Recording()
    let (one, two) = (Token(), Token())
    for token in [one, two] {
      recording.add(token)
      recording.start(token)
    }
    recording.wait(2)
    recording.finish(two)
    recording.wait(2)
    recording.finish(one)
    #expect(recording.history.utilization == 0.75)
  }
}
