/// An operation that is chosen ahead.
struct PrefetchedItem<Work: Sendable>: Sendable {
  let id: Int
  let work: Work
  let position: QueuePosition
  /// Whether it has become ready since the last turn, and joined what was chosen then.
  var hasJoined = false
}

/// An operation finished, and another one took its slot, or none did.
struct PrefetchedReplacement: Equatable, Sendable {
  let finished: Int
  var started: Int?
  /// Whether that has become ready since the last turn.
  var hasJoined = false
  /// Whether that was in line for its concurrency limits.
  var wasInLine = false
}

// What is chosen ahead stays ready here, without an item in its ready queue, until it is known whether it has run.
extension QueueScheduler {
  /// Whether there is neither a free slot nor a body that waits for one, so that the operation that finishes next leaves
  /// its slot to the first ready one.
  var isFull: Bool { !isSuspended && executingCount == width && slotRequests.isEmpty }

  /// Whether an operation that finishes leaves its slot to another one: not where more have slots than may have.
  var passesSlotsOn: Bool { isFull || hasSpareSlots }

  /// Whether there are free slots, so that an operation that finishes leaves its slot to one that becomes ready by that.
  ///
  /// Asked once all that is ready has been chosen.
  var hasSpareSlots: Bool { hasFreeSlot && executingCount > 0 && slotRequests.isEmpty && !startsAreHeld }

  /// Whether operations wait for dependencies, and no barrier decides besides when they run.
  var mayBecomeReady: Bool { segments[0].blocked > 0 && !hasBarrier }

  /// Where an entry comes once it is ready; nil for one that is not blocked.
  func position(ofBlocked id: EntryID) -> QueuePosition? {
    guard let entry = entries[id], entry.phase == .blocked else { return nil }
    return QueuePosition(priority: entry.priority, rank: entry.rank)
  }

  /// Whether an operation is ready, and was not chosen ahead.
  mutating func hasReady() -> Bool { nextReadyPosition() != nil }

  /// Where the first operation comes that is ready and was not chosen ahead.
  mutating func nextReadyPosition() -> QueuePosition? {
    guard let id = popReady(), let entry = entries[id] else { return nil }
    putBackReady(id)
    return QueuePosition(priority: entry.priority, rank: entry.rank)
  }

  /// Takes out the first ready operations, which then have to be put back or reported as replacements.
  ///
  /// - Parameters:
  ///   - stands: Whether an operation stands in line for its limits from now on, so that it is not chosen; asked until that was said as
  ///     often as operations are to be chosen.
  ///   - isWanted: Ends the batch with the first one that is not.
  /// - Returns: Them, the next one last.
  mutating func prefetch(
    _ count: Int,
    unless stands: (EntryID, Work) -> Bool = { _, _ in false },
    while isWanted: (Work) -> Bool
  ) -> [PrefetchedItem<Work>] {
    var items: [PrefetchedItem<Work>] = []
    var standing = 0
    while items.count < count, let id = popReady(), let entry = entries[id] {
      let work = work(of: id)
      if standing < count, stands(id, work) {
        standing += 1
        standInLineAhead(id)
        continue
      }
      guard isWanted(work) else {
        putBackReady(id)
        break
      }
      if items.isEmpty { items.reserveCapacity(min(count, segments[0].ready.itemCount + 1)) }
      let position = QueuePosition(priority: entry.priority, rank: entry.rank)
      items.append(PrefetchedItem(id: id, work: consume work, position: position))
    }
    items.reverseInPlace()
    return items
  }

  /// Applies what has become of those that were chosen ahead.
  ///
  /// - Parameter inLine: The items in line that have not begun.
  mutating func takeBack(
    _ replacements: [PrefetchedReplacement],
    _ items: [PrefetchedItem<Work>],
    inLine: [PrefetchedItem<Work>] = []
  ) {
    for replacement in replacements {
      guard let started = replacement.started else {
        finished(replacement.finished)
        continue
      }
      if replacement.hasJoined { becameReady(started) }
      replaced(replacement.finished, by: started, wasInLine: replacement.wasInLine)
    }
    // In reverse, so that the next one is put back last, in front of the others.
    for item in items {
      if item.hasJoined { update(item.id, to: .ready) } else { putBackReady(item.id) }
    }
    for item in inLine { putBackInLine(item.id) }
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

  /// An entry has become ready, and has got a slot since, so that it is not put among the ready ones.
  private mutating func becameReady(_ id: EntryID) {
    guard var entry = entries[id], !entry.phase.isChosen else { preconditionFailure("entry \(id) was chosen twice") }
    change(&entry, to: .ready)
    entries[id] = entry
  }

  /// An operation has finished, and one that was chosen ahead has got its slot.
  ///
  /// - Parameter wasInLine: Whether that was in line for its concurrency limits.
  mutating func replaced(_ finished: EntryID, by started: EntryID, wasInLine: Bool = false) {
    guard entries[started]?.phase == (wasInLine ? .inLine : .ready) else {
      preconditionFailure("entry \(started) began and was not ready")
    }
    execute(started)
    self.finished(finished)
  }
}
