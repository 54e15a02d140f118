// What is chosen ahead, so that child tasks go from one operation to the next without a turn of the queue.
extension QueueState {
  /// Takes back what was chosen ahead at the end of the last turn.
  mutating func takeBack(_ remainder: QueueSharedState.Batch.Remainder) {
    batchSize = remainder.nextSize
    scheduler.takeBack(remainder.replacements, remainder.items)
    if !remainder.startTimes.isEmpty { time?.machine.started(at: remainder.startTimes) }
    if !remainder.replacements.isEmpty, mayStall { trigger.operationsChanged() }
  }

  /// Chooses ahead, where each operation that finishes leaves its slot to the first ready one, and says what may join then.
  mutating func prefetch() -> QueueSharedState.Batch.Content? {
    // Those in line for limits may come first once a slot is free.
    guard inLine.isEmpty else { return nil }
    if scheduler.isFull { return prefetchForFullQueue() }
    guard mayJoin, scheduler.hasSpareSlots, !scheduler.hasReady() else { return nil }
    return QueueSharedState.Batch.Content(items: [], traits: nil, joining: .oneAtOnce)
  }

  private mutating func prefetchForFullQueue() -> QueueSharedState.Batch.Content? {
    // What is chosen ahead begins without a turn, so nobody asks the start rate any more.
    let size = time?.machine.possibleStarts(upTo: batchSize) ?? batchSize
    var traits: WorkerTraits?
    let defaults = defaults
    let items = scheduler.prefetch(size) { storage in
      if storage.runsInCaller { return false }
      let other = WorkerTraits(of: storage, in: defaults)
      if traits == nil { traits = other }
      return traits == other
    }
    let joining: QueueSharedState.Batch.Joining =
      mayJoin ? scheduler.hasReady() ? .beforeLast : .everything : .nothing
    if items.isEmpty, joining != .everything { return nil }
    return QueueSharedState.Batch.Content(
      items: items, traits: items.isEmpty ? nil : traits, joining: joining,
      countsStartsSince: time.flatMap { $0.machine.hasStartRate ? $0.machine.now : nil })
  }

  /// Whether operations that become ready may join what was chosen ahead.
  ///
  /// Not in a queue that has, or has had, a start rate, which would have to be asked.
  private var mayJoin: Bool { time == nil && scheduler.mayBecomeReady }
}
