import StructuredOperations

extension JSONText {
  /// What the page's scripts read.
  ///
  /// Times are microseconds since the first addition, other operations are told by their positions, and -1 stands for nothing.
  /// Where everything in a queue was waited for, -2 and less stand for the first and the following queues.
  mutating func append(page history: OperationHistory) {
    let operations = history.operations
    let start = history.start
    let positions = Dictionary(
      operations.indices.map { (operations[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
    let plan = ReplayPlan(history)
    let unlimited = Replay(plan, width: .max)

    var queues: [Int: Int] = [:]
    var names: [String] = []
    for operation in operations where queues[operation.queueNumber] == nil {
      queues[operation.queueNumber] = names.count
      names.append(operation.queue ?? "started by hand")
    }
    append(#"{"duration":"#)
    append(microseconds: history.duration)
    append(#","utilization":\#(history.utilization),"forgotten":\#(history.forgottenCount),"queues":"#)
    append(array: names) { $0.append(string: $1) }
    append(#","critical":"#)
    append(array: CriticalPath(plan, unlimited).operations) { $0.append($1) }
    append(#","widths":"#)
    append(array: Self.widths(plan, unlimited)) { json, width in
      json.append("[\(width.slots ?? -1),")
      json.append(microseconds: width.duration)
      json.append("]")
    }
    append(#","operations":"#)
    append(array: operations) { $0.append($1, queues, positions, start) }
    append("}")
  }

  /// The replays that are worth their time: for large histories only that without a limit.
  ///
  /// Nil slots stand for any number.
  private static func widths(_ plan: ReplayPlan, _ unlimited: Replay) -> [(slots: Int?, duration: Duration)] {
    var widths: [(slots: Int?, duration: Duration)] = []
    if plan.items.count <= 20_000 {
      for slots in [1, 2, 4, 8, 16, 32, 64] { widths.append((slots, Replay(plan, width: slots).duration)) }
    }
    return widths + [(nil, unlimited.duration)]
  }

  /// In the order in which the script takes it apart.
  private mutating func append(
    _ operation: OperationHistory.Entry, _ queues: [Int: Int], _ positions: [Int: Int], _ start: Duration
  ) {
    append("[\(operation.id),")
    append(string: operation.name)
    append(",\(queues[operation.queueNumber] ?? 0),\(operation.queuePriority.rawValue),\"\(operation.outcome.word)\",")
    if case .failed(let text) = operation.outcome { append(string: text) } else { append("\"\"") }
    append(",\(operation.isCancelled ? 1 : 0),")
    append(array: operation.dependencies.compactMap { positions[$0] }) { $0.append($1) }
    append(",\(operation.parent.flatMap { positions[$0] } ?? -1),")
    append(microseconds: operation.addedAt - start)
    append(",")
    if let end = operation.finishedAt { append(microseconds: end - start) } else { append("-1") }
    append(",")
    append(array: operation.spans) { json, span in
      let kind = OperationHistory.Span.Kind.allCases.firstIndex(of: span.kind) ?? 0
      json.append("\(kind),")
      json.append(microseconds: span.start - start)
      json.append(",")
      json.append(microseconds: span.end - start)
      let cause = span.cause.flatMap { positions[$0] } ?? span.queueNumber.flatMap { queues[$0] }.map { -2 - $0 } ?? -1
      json.append(",\(span.slot ?? 0),\(cause)")
    }
    append("]")
  }
}
