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

  @Test("What was encoded before forgotten operations were counted can be decoded")
  func withoutForgotten() throws {
    let text = #"{"operations":[],"time":[0,0]}"#
    let history = try JSONDecoder().decode(OperationHistory.self, from: Data(text.utf8))
    #expect(history == OperationHistory(operations: [], time: .zero))
  }

  @Test("Decoded times are cut off at 292 years, so that their sums and differences hold")
  func extremeTimes() throws {
    let (past, future) = (Duration.seconds(Int64.min) * 18, Duration.seconds(Int64.max) * 18)
    let span = OperationHistory.Span(kind: .executing, start: past, end: future, slot: 1, cause: nil)
    let operations = [(1, past, future), (2, future, past)].map { id, addedAt, finishedAt in
      OperationHistory.Entry(
        id: id, name: "", queue: "queue", queuePriority: .normal, outcome: .succeeded, isCancelled: false,
        dependencies: [], parent: nil, addedAt: addedAt, finishedAt: finishedAt, spans: [span, span], queueNumber: 1)
    }
    let data = try JSONEncoder().encode(OperationHistory(operations: operations, time: future))
    let history = try JSONDecoder().decode(OperationHistory.self, from: data)

    let (first, last) = (Duration.nanoseconds(Int64.min), Duration.nanoseconds(Int64.max))
    #expect(history.time == last)
    #expect(history.operations.map(\.addedAt) == [first, last])
    #expect(history.operations.map(\.finishedAt) == [last, first])
    #expect(history.operations.allSatisfy { $0.spans.allSatisfy { $0.start == first && $0.end == last } })
    #expect(history.utilization == 1 && history.operations[0].duration(.executing) == (last - first) * 2)
    _ = (history.duration, history.duration(atWidth: 1), history.criticalPath, history.summary)
    _ = (history.chromeTrace(), history.dot(), history.mermaid(), history.html())
  }

  @Test("A slice of a trace whose ends are 584 years apart is cut off")
  func longSlice() {
    let span = OperationHistory.Span(
      kind: .executing, start: .nanoseconds(Int64.min), end: .nanoseconds(Int64.max), slot: 1, cause: nil)
    let operation = OperationHistory.Entry(
      id: 1, name: "", queue: nil, queuePriority: .normal, outcome: .succeeded, isCancelled: false, dependencies: [],
      parent: nil, addedAt: .zero, finishedAt: .zero, spans: [span], queueNumber: 0)
    let trace = OperationHistory(operations: [operation], time: .zero).chromeTrace()
    #expect(trace.contains(#""ts":-9223372036854775.808,"dur":9223372036854775.807"#))
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
    #expect(history.duration == .zero)
  }

  @Test("A span that ends before it begins takes no time of its slot")
  func backwards() {
    let long = OperationHistory.Span(kind: .executing, start: .seconds(1 << 40), end: .zero, slot: 1, cause: nil)
    let short = OperationHistory.Span(kind: .executing, start: .zero, end: .nanoseconds(5), slot: 1, cause: nil)
    let operation = OperationHistory.Entry(
      id: 1, name: "", queue: nil, queuePriority: .normal, outcome: .succeeded, isCancelled: false, dependencies: [],
      parent: nil, addedAt: .zero, finishedAt: .nanoseconds(10), spans: [long, short], queueNumber: 1)
    let history = OperationHistory(operations: [operation], time: .zero)
    #expect(history.utilization == 0.5)
    #expect(history.summary.hasPrefix("1 operation in 10 ns, 50 %"))
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
