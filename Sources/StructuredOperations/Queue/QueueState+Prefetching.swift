// What is chosen ahead, so that child tasks go from one operation to the next without a turn of the queue.
extension QueueState {
  /// Takes back what was chosen ahead at the end of the last turn.
  mutating func takeBack(_ remainder: QueueSharedState.Batch.Remainder) {
    batchSize = remainder.nextSize
    for replacement in remainder.replacements { scheduler.replaced(replacement.finished, by: replacement.started) }
    if !remainder.startTimes.isEmpty { time?.machine.started(at: remainder.startTimes) }
    if !remainder.replacements.isEmpty, mayStall { trigger.operationsChanged() }
    // In reverse, so that the next one is put back last, in front of the others.
    for item in remainder.items { scheduler.putBackReady(item.id) }
  }

  /// Chooses ahead, where each operation that finishes leaves its slot to the first ready one.
  mutating func prefetch() -> QueueSharedState.Batch.Content? {
    // Those in line for limits may come first once a slot is free.
    guard scheduler.isFull, inLine.isEmpty else { return nil }
    // What is chosen ahead begins without a turn, so nobody asks the start rate any more.
    let size = time?.machine.possibleStarts(upTo: batchSize) ?? batchSize
    guard size > 0 else { return nil }
    var traits: WorkerTraits?
    let defaults = defaults
    let chosen = scheduler.prefetch(size) { storage in
      if storage.runsInCaller { return false }
      let other = WorkerTraits(of: storage, in: defaults)
      if traits == nil { traits = other }
      return traits == other
    }
    guard let chosen, let traits else { return nil }
    return QueueSharedState.Batch.Content(
      items: chosen.items, last: chosen.last, traits: traits,
      countsStartsSince: time.flatMap { $0.machine.hasStartRate ? $0.machine.now : nil })
  }
}
