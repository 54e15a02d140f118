/// An operation that is chosen ahead.
struct PrefetchedItem<Work: Sendable>: Sendable {
  let id: Int
  let work: Work
}

// What is chosen ahead stays ready here, without an item in its ready queue, until it is known whether it has run.
extension QueueScheduler {
  /// Whether there is neither a free slot nor a body that waits for one, so that the operation that finishes next leaves
  /// its slot to the first ready one.
  var isFull: Bool { !isSuspended && executingCount == width && slotRequests.isEmpty }

  /// Takes out the first ready operations, which then have to be put back or reported as replacements.
  ///
  /// - Parameter isWanted: Ends the batch with the first one that is not.
  /// - Returns: Them, the next one last.
  mutating func prefetch(
    _ count: Int,
    while isWanted: (Work) -> Bool
  ) -> (items: [PrefetchedItem<Work>], last: QueuePosition)? {
    var items: [PrefetchedItem<Work>] = []
    var last: QueuePosition?
    while items.count < count, let id = popReady(), let entry = entries[id] {
      let work = work(of: id)
      guard isWanted(work) else {
        putBackReady(id)
        break
      }
      if items.isEmpty { items.reserveCapacity(count) }
      last = QueuePosition(priority: entry.priority, rank: entry.rank)
      items.append(PrefetchedItem(id: id, work: work))
    }
    guard let last else { return nil }
    items.reverse()
    return (items, last)
  }

  /// Puts back what was chosen ahead and not begun; the next one is put back last.
  mutating func putBackReady(_ id: EntryID) {
    guard let entry = entries[id], entry.phase == .ready, !entry.hasItem else {
      preconditionFailure("entry \(id) was put back and had not been chosen ahead")
    }
    entries[id]?.hasItem = true
    segments[entry.segment - finishedSegments].ready
      .putBack(ReadyQueue.Item(rank: entry.rank, id: id), priority: entry.priority)
  }

  /// An operation has finished, and one that was chosen ahead has got its slot.
  mutating func replaced(_ finished: EntryID, by started: EntryID) {
    guard entries[started]?.phase == .ready else { preconditionFailure("entry \(started) began and was not ready") }
    execute(started)
    self.finished(finished)
  }
}
