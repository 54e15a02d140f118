extension OperationHistory {
  /// The history in the Trace Event Format, which Perfetto and `chrome://tracing` open.
  ///
  /// JSON: a process for each queue, a track for each slot, a slice for each executing span, and an arrow for each
  /// dependency between operations that ran. Bodies started by hand have a process of their own. Times are
  /// microseconds since the first addition.
  ///
  /// ```swift
  /// try Data(journal.history.chromeTrace().utf8).write(
  ///   to: URL(filePath: "trace.json"))
  /// ```
  ///
  /// - Complexity: O(n + number of dependencies).
  public func chromeTrace() -> String {
    var trace = ChromeTrace(start: start)
    let bodies = Dictionary(
      operations.lazy.compactMap { operation in TracedBody(operation).map { (operation.id, $0) } },
      uniquingKeysWith: { first, _ in first })
    for operation in operations {
      for span in operation.executions { trace.addSlice(operation, span) }
      guard let body = bodies[operation.id] else { continue }
      for dependency in operation.dependencies {
        if let other = bodies[dependency] { trace.addArrow(from: other, to: body) }
      }
    }
    return trace.finished()
  }
}

/// Where the body of an operation begins and ends.
private struct TracedBody {
  let queue: Int
  let first: OperationHistory.Span
  let last: OperationHistory.Span

  init?(_ operation: OperationHistory.Entry) {
    guard let first = operation.executions.first, let last = operation.executions.last else { return nil }
    (queue, self.first, self.last) = (operation.queueNumber, first, last)
  }
}

private struct ChromeTrace {
  let start: Duration
  private var json = JSONText()
  private var hasEvents = false
  private var arrowCount = 0
  private var tracks: Set<SlotName> = []
  private var processes: Set<Int> = []

  init(start: Duration) {
    self.start = start
    json.append(#"{"displayTimeUnit":"ms","traceEvents":["#)
  }

  mutating func addSlice(_ operation: OperationHistory.Entry, _ span: OperationHistory.Span) {
    addNames(operation, span)
    begin("X", operation.queueNumber, span, at: span.start)
    // Both ends are rounded alike, so that neighbours do not overlap.
    let length =
      Duration.nanoseconds((span.end - start).nanoseconds) - .nanoseconds((span.start - start).nanoseconds)
    json.append(#","dur":"#)
    json.append(microseconds: length)
    json.append(#","cat":"operation","name":"#)
    json.append(string: operation.name)
    json.append(#","args":{"id":\#(operation.id),"outcome":"\#(operation.outcome.word)","priority":"#)
    json.append("\"\(operation.queuePriority)\"}}")
  }

  mutating func addArrow(from one: TracedBody, to other: TracedBody) {
    guard one.last.end <= other.first.start else { return }
    arrowCount += 1
    // Within the slice: at its end another one may have begun in its track already.
    begin("s", one.queue, one.last, at: max(one.last.start, one.last.end - .nanoseconds(1)))
    json.append(#","id":\#(arrowCount),"cat":"dependency","name":"dependency"}"#)
    begin("f", other.queue, other.first, at: other.first.start)
    json.append(#","bp":"e","id":\#(arrowCount),"cat":"dependency","name":"dependency"}"#)
  }

  consuming func finished() -> String {
    json.append("]}")
    return json.text
  }

  private mutating func begin(_ phase: String, _ queue: Int, _ span: OperationHistory.Span, at time: Duration) {
    separate()
    json.append(#"{"ph":"\#(phase)","pid":\#(queue),"tid":\#(span.slot ?? 0),"ts":"#)
    json.append(microseconds: time - start)
  }

  private mutating func addNames(_ operation: OperationHistory.Entry, _ span: OperationHistory.Span) {
    let slot = span.slot ?? 0
    let queue = operation.queueNumber
    guard tracks.insert(SlotName(queue: queue, slot: slot)).inserted else { return }
    if processes.insert(queue).inserted {
      separate()
      json.append(#"{"ph":"M","pid":\#(queue),"tid":0,"name":"process_name","args":{"name":"#)
      json.append(string: operation.queue ?? "started by hand")
      json.append("}}")
    }
    separate()
    json.append(#"{"ph":"M","pid":\#(queue),"tid":\#(slot),"name":"thread_name","args":{"name":"slot \#(slot)"}}"#)
    separate()
    json.append(
      #"{"ph":"M","pid":\#(queue),"tid":\#(slot),"name":"thread_sort_index","args":{"sort_index":\#(slot)}}"#)
  }

  private mutating func separate() {
    if hasEvents { json.append(",\n") }
    hasEvents = true
  }
}
