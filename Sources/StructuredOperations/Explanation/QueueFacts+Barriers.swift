extension QueueFacts.Source {
  /// Has operations pass barriers, and fall behind them, as the queue will once it has nothing else to choose.
  ///
  /// Example: "early" is ahead of a barrier, and depends on "late", which is behind it; another operation has the only slot. "late" will
  /// pass the barrier when the slot is free: it waits for the slot, and is in no loop.
  ///
  /// The same goes for the barriers behind that one, as if what is ahead of them had finished. Example: "early" is behind the barrier
  /// "first", and "late" behind the barrier "second" besides. "late" will pass "second", and waits for "first" alone.
  mutating func moveAtBarriers() {
    guard scheduler.hasBarrier,
      scheduler.dueBarrier != nil || scheduler.segmentsBeforeBarriers.contains(where: scheduler.isBlocked)
    else { return }
    var search = BarrierMoveSearch(members)
    // What falls may leave the barrier due, which may fall then.
    while search.moveAtNextBarrier(in: &scheduler) {}
    var operations = scheduler.operationsBySegment
    for segment in scheduler.segmentsBeforeBarriers.dropFirst() {
      while scheduler.isBlocked(in: segment), search.move(at: segment, among: &operations, in: &scheduler) {}
    }
  }
}
