// What an operation ahead of a barrier depends on passes the barrier, and one that depends on the barrier itself falls
// behind it, or else both would wait for ever. The edges are not known here: the queue finds them when it has nothing
// left to choose.
extension QueueScheduler {
  /// Whether the barrier that runs has released its slot.
  var isBarrierWaiting: Bool {
    switch dueBarrier?.1.phase {
    case .waiting, .resuming: true
    case .executing, .blocked, .ready, .inLine, .skipped, nil: false
    }
  }

  /// The barrier that is due.
  var dueBarrier: (EntryID, Entry)? {
    guard segments[0].unfinished == 0, let id = segments[0].barrier, let entry = entries[id] else { return nil }
    return (id, entry)
  }

  var hasBarrier: Bool { segments.count > 1 }

  /// Whether the entry waits for a barrier that has not finished, or is the next barrier and is not due yet.
  func isHeldByBarrier(_ id: EntryID) -> Bool {
    guard let entry = entries[id] else { return false }
    return entry.segment > finishedSegments || (entry.isBarrier && segments[0].unfinished > 0)
  }

  /// All those entries, in no particular order, in O(entries).
  var heldByBarrier: [EntryID] { entries.indices.filter(isHeldByBarrier) }

  /// Whether the entry is the barrier that ends a segment, or behind it.
  func isAtOrBehindBarrier(_ id: EntryID, after segment: Int) -> Bool {
    guard let entry = entries[id] else { return false }
    return entry.segment > segment || (entry.isBarrier && entry.segment == segment)
  }

  /// All barriers, in no particular order, in O(entries).
  var barriers: [EntryID] { entries.indices.filter { entries[$0]?.isBarrier == true } }

  /// Whether the entry cannot begin before another one has finished, because of a barrier between them, or because it is
  /// that barrier.
  func isBehind(_ id: EntryID, _ other: EntryID) -> Bool {
    guard let entry = entries[id], let ahead = entries[other], id != other else { return false }
    return ahead.segment < entry.segment || (entry.isBarrier && ahead.segment == entry.segment)
  }

  /// What has to finish before a barrier begins, in the order of addition.
  ///
  /// O(n log n).
  func work(aheadOf barrier: EntryID) -> [Work] {
    listed { _ in true }.compactMap { id, work in isBehind(barrier, id) ? work : nil }
  }

  /// What has to finish before anything behind the next barrier may begin; that barrier, too, once it is due.
  ///
  /// In no particular order. O(entries); the search ends with the last one that is ahead.
  var aheadOfBarrier: [EntryID] {
    if let (barrier, _) = dueBarrier { return [barrier] }
    let count = segments[0].unfinished
    var ahead: [EntryID] = []
    for id in entries.indices {
      if ahead.count == count { break }
      if let entry = entries[id], entry.segment == finishedSegments, !entry.isBarrier { ahead.append(id) }
    }
    return ahead
  }

  /// The operations behind the next barrier, by segment.
  ///
  /// O(entries).
  var operationsBySegment: [Int: [EntryID]] {
    var operations: [Int: [EntryID]] = [:]
    for id in entries.indices {
      guard let entry = entries[id], entry.segment > finishedSegments, !entry.isBarrier else { continue }
      operations[entry.segment, default: []].append(id)
    }
    return operations
  }

  /// Whether something ahead of the next barrier waits for a dependency.
  var isBlockedAheadOfBarrier: Bool { segments[0].blocked > 0 }

  /// The segments that barriers end.
  var segmentsBeforeBarriers: Range<Int> { finishedSegments..<finishedSegments + segments.count - 1 }

  /// Whether something in a segment waits for a dependency.
  func isBlocked(in segment: Int) -> Bool { segments[segment - finishedSegments].blocked > 0 }

  /// The barrier that the entries of a segment are directly behind.
  func barrier(before segment: Int) -> EntryID? {
    segment > finishedSegments ? segments[segment - finishedSegments - 1].barrier : nil
  }

  /// The barrier that ends a segment, where it waits for a dependency itself.
  func blockedBarrier(endingSegment segment: Int) -> EntryID? {
    guard let id = segments[segment - finishedSegments].barrier, entries[id]?.phase == .blocked else { return nil }
    return id
  }

  /// Lets operations pass the barriers that they wait for; they keep their order.
  ///
  /// - Parameter segment: The one that they come to, where they are behind it; nil is that ahead of the next barrier.
  mutating func pass(_ ids: [EntryID], to segment: Int? = nil) {
    let segment = segment ?? finishedSegments
    move(ids, to: segment) { $0.segment > segment }
  }

  /// Lets operations that depend on a barrier fall behind it; they keep their order.
  ///
  /// The barrier that is due may be the only one of them: nothing else is ahead then.
  ///
  /// - Returns: Whether any did: one that was chosen ahead is put back first.
  mutating func fallBehind(_ barrier: EntryID, _ ids: [EntryID]) -> Bool {
    guard let segment = entries[barrier]?.segment else { return false }
    if let (due, entry) = dueBarrier, ids.contains(due) {
      guard entry.segment < segment, !entry.phase.isChosen else { return false }
      dueBarrierFalls(due, behind: segment)
      return true
    }
    return move(ids, to: segment + 1) { $0.segment <= segment && !$0.phase.isChosen }
  }

  /// Has the barrier that is due come directly behind the one that ends a segment.
  ///
  /// What is between them does not wait for it any more. O(entries).
  private mutating func dueBarrierFalls(_ due: EntryID, behind segment: Int) {
    _ = segments.popFirst()
    finishedSegments += 1
    barrierFalls(due, behind: segment)
  }

  /// Has a barrier come directly behind the one that ends a segment; the end of its own segment stays where it is.
  ///
  /// O(entries).
  mutating func barrierFalls(_ barrier: EntryID, behind segment: Int) {
    var own = Segment()
    own.barrier = barrier
    segments.insert(own, at: segment + 1 - finishedSegments)
    for id in entries.indices { if let entry = entries[id], entry.segment > segment { entries[id]?.segment += 1 } }
    entries[barrier]?.segment = segment + 1
  }

  /// A barrier that is not to run gives its place up, and is the first one, with nothing ahead: what it has held back is held back by
  /// the one before it, if there is one.
  ///
  /// O(entries).
  ///
  /// - Returns: What was directly behind it, which comes after what was directly ahead.
  mutating func giveUpPlace(_ barrier: EntryID) -> [EntryID] {
    guard let entry = entries[barrier], entry.isBarrier, !entry.phase.isChosen else {
      preconditionFailure("entry \(barrier) gave up the place of a barrier that it does not have")
    }
    let (segment, index) = (entry.segment, entry.segment - finishedSegments)
    let behind = entries.indices.filter { id in
      entries[id].map { $0.segment == segment + 1 && !$0.isBarrier } ?? false
    }
    move(behind, to: segment) { _ in true }
    segments[index].barrier = segments.remove(at: index + 1).barrier
    var own = Segment()
    own.barrier = barrier
    segments.insert(own, at: 0)
    for id in entries.indices { if let entry = entries[id], entry.segment <= segment { entries[id]?.segment += 1 } }
    entries[barrier]?.segment = finishedSegments
    return behind
  }

  @discardableResult
  private mutating func move(_ ids: [EntryID], to segment: Int, where isMoved: (Entry) -> Bool) -> Bool {
    var hasMoved = false
    let moving = ids.compactMap { id in entries[id].map { (id, $0) } }.sorted { $0.1.rank < $1.1.rank }
    for (id, entry) in moving where isMoved(entry) {
      precondition(!entry.isBarrier, "a barrier passed another")
      segments[entry.segment - finishedSegments].remove(entry)
      segments[segment - finishedSegments].add(entry)
      requeue(id, entry, in: segment)
      hasMoved = true
    }
    return hasMoved
  }
}
