// What one ahead of a barrier depends on passes the barrier, or else both would wait for ever. Who depends on whom is not
// known here: the queue finds that out, when nothing ahead of the barrier can run.
extension QueueScheduler {
  var hasBarrier: Bool { segments.count > 1 }

  /// Whether the entry waits for a barrier that has not finished.
  func isBehindBarrier(_ id: EntryID) -> Bool { entries[id].map { $0.segment > passedSegments } ?? false }

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

  /// Lets operations pass the barriers that they wait for; they keep their order.
  mutating func pass(_ ids: [EntryID]) {
    let passing = ids.compactMap { id in entries[id].map { (id, $0) } }.sorted { $0.1.rank < $1.1.rank }
    for (id, entry) in passing where entry.segment > passedSegments {
      precondition(!entry.isBarrier, "a barrier passed another")
      segments[entry.segment - passedSegments].unfinished -= 1
      segments[0].unfinished += 1
      requeue(id, entry, in: passedSegments)
    }
  }
}
