import Foundation
import StructuredOperations
import TestSupport
import Testing

@testable import StructuredOperationsInsight

@Suite("OperationHistory")
struct OperationHistoryTests {
  /// Every kind of span, outcome and link.
  private var history: OperationHistory {
    var recording = Recording()
    let (one, two, three, four) = (Token(), Token(), Token(), Token())
    recording.add(one, "one")
    recording.add(two, "two", after: [one])
    recording.wait(1)
    recording.start(one, after: [], .veryHigh)
    recording.wait(1)
    recording.add(three, "three", by: one)
    recording.beginWait(one, for: three)
    recording.start(three)
    recording.finish(three, .failed("\"no\""))
    recording.endWait(one)
    recording.finish(one)
    recording.cancel(two)
    recording.finish(two, .cancelled, isCancelled: true)
    recording.addByHand(four)
    recording.start(four)
    recording.wait(1)
    return recording.history
  }

  @Test("What is encoded and decoded is the same")
  func roundTrip() throws {
    let data = try JSONEncoder().encode(history)
    #expect(try JSONDecoder().decode(OperationHistory.self, from: data) == history)
  }

  @Test("Decoded nonsense is taken as it is, without a trap: loops, doubles, links to nowhere")
  func nonsense() throws {
    let span = OperationHistory.Span(kind: .executing, start: .seconds(3), end: .seconds(1), slot: -4, cause: 7)
    let wait = OperationHistory.Span(kind: .waiting, start: .zero, end: .seconds(1), slot: nil, cause: 1)
    let operations = [(1, [2, 9], 2), (2, [1], 1), (1, [1], 1), (3, [], 2)].map { id, dependencies, parent in
      OperationHistory.Entry(
        id: id, name: "", queue: nil, queuePriority: .low, outcome: .succeeded, isCancelled: false,
        dependencies: dependencies, parent: parent, addedAt: .seconds(5), finishedAt: .seconds(2),
        spans: [wait, span, wait], queueNumber: id)
    }
    let history = OperationHistory(operations: operations, time: .zero)
    _ = (history.duration(atWidth: 1), history.criticalPath, history.utilization, history.summary)
    _ = (history.chromeTrace(), history.dot(), history.mermaid(), history.html())
  }

  @Test("An empty history")
  func empty() {
    let history = OperationJournal().history
    #expect(history.operations.isEmpty && history.criticalPath.isEmpty)
    #expect(history.duration == .zero && history.duration(atWidth: 1) == .zero && history.utilization == 0)
    #expect(history.chromeTrace() == #"{"displayTimeUnit":"ms","traceEvents":[]}"#)
    _ = (history.summary, history.dot(), history.mermaid(), history.html())
  }
}
