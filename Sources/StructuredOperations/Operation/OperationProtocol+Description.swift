extension OperationProtocol {
  /// The name and the state, as in `AsyncOperation "download" (executing, cancelled)`.
  ///
  /// An operation without a name is told by where it was made: `AsyncOperation at Crawler/main.swift:42 (ready)`. Once it
  /// has finished, the kind of its outcome follows: `(finished, success)`.
  public nonisolated var description: String {
    let subject = name == nil ? label : "AsyncOperation \(label)"
    return "\(subject) (\(conditions.joined(separator: ", ")))"
  }

  /// The description, then the priority, the queue and the descriptions of the dependencies, of which only the first 20
  /// are listed.
  public nonisolated var debugDescription: String {
    let shown = 20
    let dependencies = storage.dependencies
    var text = "\(description), queuePriority \(queuePriority)"
    if let queue = storage.queueName { text += ", in the queue \"\(queue.onOneLine)\"" }
    if dependencies.isEmpty { return text }
    text += ", after \(dependencies.prefix(shown).map(\.description).joined(separator: ", "))"
    return dependencies.count > shown ? "\(text), … (\(dependencies.count - shown) more)" : text
  }

  /// The state, `cancelled` where it was, and the kind of the outcome.
  private nonisolated var conditions: [String] {
    let (snapshot, outcome) = storage.read { ($0.snapshot, $0.outcome) }
    var conditions = [snapshot.state.word]
    if snapshot.isCancelled { conditions.append("cancelled") }
    switch outcome {
    case .success: conditions.append("success")
    case .failure: conditions.append("failure")
    case .cancelled, .released, nil: break
    }
    return conditions
  }
}

extension OperationState {
  /// The name of the state.
  ///
  /// An interpolation would look it up at run time, which takes longer than all the rest.
  fileprivate var word: String {
    switch self {
    case .pending: "pending"
    case .ready: "ready"
    case .executing: "executing"
    case .finished: "finished"
    }
  }
}

extension AsyncOperation: CustomReflectable {
  /// What `dump` shows: what can be asked of the operation, and the descriptions of its dependencies.
  public nonisolated var customMirror: Mirror {
    let children: KeyValuePairs<String, Any> = [
      "name": name as Any, "snapshot": snapshot, "queuePriority": queuePriority, "outcome": outcome as Any,
      "dependencies": storage.dependencies.map(\.description),
    ]
    return Mirror(self, children: children, displayStyle: .class)
  }
}
