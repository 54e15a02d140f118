/// Where something stands among the ready operations of a queue.
struct QueuePlace: Sendable {
  let priority: QueuePriority
  let rank: Int

  func isBehind(_ other: QueuePlace) -> Bool {
    priority < other.priority || priority == other.priority && rank > other.rank
  }
}

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
  ) -> (cards: [QueueCard<Work>], last: QueuePlace)? {
    var cards: [QueueCard<Work>] = []
    var last = QueuePlace(priority: .veryHigh, rank: 0)
    while cards.count < count, let id = popReady(), let entry = entries[id] {
      let work = work(of: id)
      guard isWanted(work) else {
        putBackReady(id)
        break
      }
      if cards.isEmpty { cards.reserveCapacity(count) }
      last = QueuePlace(priority: entry.priority, rank: entry.rank)
      cards.append(QueueCard(id: id, work: work))
    }
    if cards.isEmpty { return nil }
    cards.reverse()
    return (cards, last)
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

  /// Whether one that becomes ready now is the first ready one, and would get the slot of the one that finishes next.
  var isVacant: Bool {
    !isSuspended && executingCount <= width && returners.isEmpty && !hasBarrier && segments[0].ready.isEmpty
  }

  /// An operation has finished, and one that was dealt, or that waited for it, has got its slot.
  mutating func exchanged(_ finished: EntryID, for started: EntryID) {
    switch entries[started]?.phase {
    case .ready: break
    case .pending: released(started)
    default: preconditionFailure("entry \(started) began and was not ready")
    }
    execute(started)
    self.finished(finished)
  }
}
