extension AsyncOperationQueue {
  /// What the queue knows of its operations at one moment.
  ///
  /// The queue is looked at in one stretch on its actor, during which nothing is chosen. What follows from that is worked out
  /// elsewhere. O(n log n + dependencies).
  nonisolated func facts() async -> QueueFacts { QueueFacts(await look(), of: self) }

  /// Looks at all operations, and changes nothing.
  ///
  /// Meanwhile no dependency is added, and no wait of a body's own task begins: the conditions are
  /// read under the graph's lock. O(n + dependencies).
  private func look() -> QueueFacts.Source {
    // Before the lock: the clock is the user's.
    let now = state.time?.clock.elapsed
    let news = shared.pendingNews
    var time = state.time?.machine
    time?.preview(news)
    let hold = now.flatMap { time?.startsAreHeld(at: $0) }
    var scheduler = state.scheduler
    scheduler.preview(news, entry: { $0.entryAndReadiness(in: self)?.entry }) { wait in
      guard let id = wait.operation.storage.entry(in: self), state.releasedSlots[id] === wait else { return nil }
      return id
    }
    let work = scheduler.allWork
    let members = DependencyGraph.withLock { _, _ in
      work.map { id, storage in
        QueueFacts.Source.Member(
          id: id, operation: storage.enqueuedOperation, condition: storage.condition, demand: storage.demand)
      }
    }
    return QueueFacts.Source(
      scheduler: scheduler, inLine: state.inLine, header: description, rateHold: hold, members: members)
  }
}

extension OperationStorage {
  /// What has the operation's limits, or stands in line and its queue does not know it; nil where nothing does.
  fileprivate var demand: LimitTable.DemandID? { mayHaveLimits ? read(\.limitDemand) : nil }
}
