extension QueueFacts.Source {
  /// Has operations pass barriers, and fall behind them, as the queue will once it has nothing else to choose.
  ///
  /// Example: "early" is ahead of a barrier, and depends on "late", which is behind it; another operation has the only slot. "late" will
  /// pass the barrier when the slot is free: it waits for the slot, and is in no loop.
  ///
  /// The same goes for the barriers behind that one, as if what is ahead of them had finished. Example: "early" is behind the barrier
  /// "first", and "late" behind the barrier "second" besides. "late" will pass "second", and waits for "first" alone.
  ///
  /// What a barrier needs itself passes it once it is due, or the barrier falls then. Example: "early" is ahead of a barrier that depends
  /// on "late", which is behind it. "late" waits for "early", as the barrier does, and not for the barrier.
  mutating func moveAtBarriers() {
    func somethingMayMove(at segment: Int) -> Bool {
      scheduler.isBlocked(in: segment) || scheduler.blockedBarrier(endingSegment: segment) != nil
    }
    guard scheduler.dueBarrier != nil || scheduler.segmentsBeforeBarriers.contains(where: somethingMayMove) else {
      return
    }
    var search = BarrierMoveSearch(members)
    // What falls may leave the barrier due, which may fall then.
    while search.moveAtNextBarrier(in: &scheduler) {}
    var operations = scheduler.operationsBySegment
    var segment = scheduler.finishedSegments
    // There are more once barriers have fallen.
    while segment < scheduler.segmentsBeforeBarriers.upperBound {
      if segment > scheduler.finishedSegments {
        while scheduler.isBlocked(in: segment), search.move(at: segment, among: &operations, in: &scheduler) {}
      }
      if let barrier = scheduler.blockedBarrier(endingSegment: segment) {
        switch search.moveOnceDue(barrier, at: segment, among: &operations, in: &scheduler) {
        case .passing(let ids): passingOnceDue.formUnion(ids)
        case .falling: segmentsOfFallen.insert(segment)
        case nil: break
        }
      }
      segment += 1
    }
  }

  /// Whether an entry waits for the barrier that it is behind only until that is due.
  func sharesNeedsOfBarrier(_ id: Int) -> Bool {
    if passingOnceDue.contains(id) { return true }
    return scheduler.entries[id].map { segmentsOfFallen.contains($0.segment - 1) } == true
  }

  /// What has to finish before such barriers are due, by the segments that they end.
  ///
  /// - Parameter ahead: The operations in each segment.
  func needsSharedWithBarriers(
    ahead: [Int: [any OperationProtocol]],
    _ barriers: [Int: any OperationProtocol]
  ) -> [Int: QueueFacts.SharedNeeds] {
    let segments = segmentsOfFallen.union(passingOnceDue.compactMap { scheduler.entries[$0].map { $0.segment - 1 } })
    var needs: [Int: QueueFacts.SharedNeeds] = [:]
    for segment in segments.sorted() {
      var operations = ahead[segment] ?? []
      if !segmentsOfFallen.contains(segment - 1) {
        if let barrier = scheduler.barrier(before: segment).flatMap({ barriers[$0] }) { operations.append(barrier) }
      } else if operations.isEmpty {
        // Nothing is ahead that would wait for those needs itself.
        needs[segment] = needs[segment - 1]
        continue
      }
      needs[segment] = QueueFacts.SharedNeeds(operations)
    }
    return needs
  }
}
