extension AsyncOperationQueue: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The name and the counts, as in `AsyncOperationQueue "images" (2 executing, 5 waiting, limit 4, suspended, closed)`.
  ///
  /// Bodies that have lent their slots are among those that execute. The default limit is told as `default`.
  public nonisolated var description: String {
    let snapshot = snapshot
    let limit = snapshot.maxConcurrentOperationCount
    var conditions = [
      "\(snapshot.executingCount) executing", "\(snapshot.operationCount - snapshot.executingCount) waiting",
      "limit \(limit == Self.defaultMaxConcurrentOperationCount ? "default" : "\(limit)")",
    ]
    if snapshot.isSuspended { conditions.append("suspended") }
    if isClosed { conditions.append("closed") }
    return "AsyncOperationQueue \"\(name.onOneLine)\" (\(conditions.joined(separator: ", ")))"
  }

  /// ``description``, then how many operations have finished, and how.
  public nonisolated var debugDescription: String {
    let snapshot = snapshot
    return """
      \(description), \(snapshot.succeededCount) succeeded, \(snapshot.failedCount) failed, \
      \(snapshot.cancelledCount) cancelled
      """
  }

  /// What `dump` shows: what can be asked of the queue.
  public nonisolated var customMirror: Mirror {
    Mirror(self, children: ["name": name, "snapshot": snapshot, "isClosed": isClosed], displayStyle: .class)
  }
}
