// What one ahead of a barrier depends on passes the barrier, or else both would wait for ever. Who depends on whom is not
// known here: the queue finds that out, when nothing ahead of the barrier can run.
extension QueueScheduler {
  var hasBarrier: Bool { segments.count > 1 }

  /// Whether the entry waits for a barrier that has not finished, or is the next barrier and waits for its turn.
  func isHeld(_ id: EntryID) -> Bool {
    guard let entry = entries[id] else { return false }
    return entry.segment > passedSegments || (entry.isBarrier && segments[0].unfinished > 0)
  }

  /// All those entries.
  ///
  /// In no particular order. O(entries).
  var held: [EntryID] { entries.indices.filter(isHeld) }

  /// Whether the entry cannot begin before another one has finished, for a barrier between them or of its own.
  func isBehind(_ id: EntryID, _ other: EntryID) -> Bool {
    guard let entry = entries[id], let ahead = entries[other], id != other else { return false }
    return ahead.segment < entry.segment || (entry.isBarrier && ahead.segment == entry.segment)
  }

  /// What has to finish before anything behind the next barrier may begin, that barrier included once it is its turn.
  ///
  /// In no particular order. O(entries).
  var front: [EntryID] {
    let isBarrierDue = segments[0].unfinished == 0
    return entries.indices.filter { id in
      guard let entry = entries[id], entry.segment == passedSegments else { return false }
      return !entry.isBarrier || isBarrierDue
    }
  }

  /// Whether something that has to finish before the next barrier waits for a dependency.
  var isFrontPending: Bool { segments[0].pending > 0 }

  /// Lets operations pass the barriers that they wait for; they keep their order.
  mutating func pass(_ ids: [EntryID]) {
    let passing = ids.compactMap { id in entries[id].map { (id, $0) } }.sorted { $0.1.rank < $1.1.rank }
    for (id, entry) in passing where entry.segment > passedSegments {
      precondition(!entry.isBarrier, "a barrier passed another")
      segments[entry.segment - passedSegments].forget(entry)
      segments[0].note(entry)
      requeue(id, entry, in: passedSegments)
    }
  }
}
