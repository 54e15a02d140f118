/// An operation that is next.
struct QueueCard<Work: Sendable>: Sendable {
  let id: Int
  let work: Work
}

// What is chosen ahead stays ready here, without an item, until it is known whether it has run.
extension QueueScheduler {
  /// Whether the operation that finishes next leaves its slot to the first ready one.
  var isFull: Bool { !isSuspended && executingCount == width && returners.isEmpty }

  /// Takes the first ready operations out; they have to be put back, or reported as exchanged.
  ///
  /// - Parameter isWanted: Ends the hand with the first one that is not.
  /// - Returns: Them, the next one last.
  mutating func deal(
    _ count: Int,
    while isWanted: (Work) -> Bool
  ) -> (cards: [QueueCard<Work>], lowestPriority: QueuePriority)? {
    var cards: [QueueCard<Work>] = []
    var lowestPriority = QueuePriority.veryHigh
    while cards.count < count, let id = popReady(), let entry = entries[id] {
      let work = work(of: id)
      guard isWanted(work) else {
        putBackReady(id)
        break
      }
      if cards.isEmpty { cards.reserveCapacity(count) }
      lowestPriority = entry.priority
      cards.append(QueueCard(id: id, work: work))
    }
    if cards.isEmpty { return nil }
    cards.reverse()
    return (cards, lowestPriority)
  }

  /// Puts back what was dealt and not needed; the next one is put back last.
  mutating func putBackReady(_ id: EntryID) {
    guard let entry = entries[id], entry.phase == .ready, !entry.hasItem else {
      preconditionFailure("entry \(id) was put back and had not been dealt")
    }
    entries[id]?.hasItem = true
    segments[entry.segment - passedSegments].ready
      .putBack(ReadyQueue.Item(rank: entry.rank, id: id), priority: entry.priority)
  }

  /// An operation has finished, and one that was dealt has got its slot.
  mutating func exchanged(_ finished: EntryID, for started: EntryID) {
    guard entries[started]?.phase == .ready else { preconditionFailure("entry \(started) began and was not ready") }
    execute(started)
    self.finished(finished)
  }
}
