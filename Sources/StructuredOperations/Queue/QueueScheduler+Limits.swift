// An entry that lacks a concurrency limit gives its slot back and stands in line. The limits themselves are not known here.
extension QueueScheduler {
  /// Whether the entry is ready but for its limits.
  func isInLine(_ id: EntryID) -> Bool { entries[id]?.phase == .inLine }

  /// What was chosen, or given a slot to resume with, lacks a limit: its slot is free again.
  mutating func standInLine(_ id: EntryID) {
    guard var entry = entries[id], entry.phase == .executing else {
      preconditionFailure("entry \(id) stood in line unchosen")
    }
    executingCount -= 1
    if entry.hasResumed {
      entry.phase = .resuming
      waitingCount += 1
    } else {
      entry.phase = .inLine
      insertLineItem(id, &entry)
      notExecuting(entry)
    }
    entries[id] = entry
  }

  /// What is ready and was taken out stands in line for its limits, without having had a slot.
  mutating func standInLineAhead(_ id: EntryID) {
    guard var entry = entries[id], entry.phase == .ready, !entry.hasItem else {
      preconditionFailure("entry \(id) stood in line ahead and was not taken out")
    }
    entry.phase = .inLine
    insertLineItem(id, &entry)
    entries[id] = entry
  }

  /// The entry is among the ready ones again, at its place.
  mutating func leaveLine(_ id: EntryID) {
    guard var entry = entries[id], entry.phase == .inLine else { preconditionFailure("entry \(id) was in no line") }
    entry.phase = .ready
    enlist(id, &entry)
    entries[id] = entry
  }

  /// Takes out the first entries in line, which then have to be put back or reported as replacements.
  ///
  /// - Parameter item: What an entry is chosen ahead as; nil for one that is not, which ends the batch.
  /// - Returns: The items, the next one last.
  mutating func prefetchInLine<Item>(_ count: Int, _ item: (PrefetchedItem<Work>) -> Item?) -> [Item] {
    var items: [Item] = []
    while items.count < count, let id = popInLine(), let entry = entries[id] {
      let position = QueuePosition(priority: entry.priority, rank: entry.rank)
      guard let item = item(PrefetchedItem(id: id, work: work(of: id), position: position)) else {
        putBackInLine(id)
        break
      }
      items.append(item)
    }
    items.reverseInPlace()
    return items
  }

  private mutating func popInLine() -> EntryID? {
    while let item = line.popFirst() {
      guard let entry = entries[ifAny: item.id], entry.rank == item.rank else {
        line.discardedStaleItem()
        continue
      }
      entries[item.id]?.hasLineItem = false
      if entry.phase == .inLine { return item.id }
    }
    return nil
  }

  /// Puts back what was chosen ahead and not begun; the next one is put back last.
  mutating func putBackInLine(_ id: EntryID) {
    guard let entry = entries[id], entry.phase == .inLine, !entry.hasLineItem else {
      preconditionFailure("entry \(id) was put back and had not been chosen ahead")
    }
    entries[id]?.hasLineItem = true
    line.putBack(ReadyQueue.Item(rank: entry.rank, id: id), priority: entry.priority)
  }

  mutating func insertLineItem(_ id: EntryID, _ entry: inout Entry) {
    if entry.hasLineItem || entry.isBarrier { return }
    entry.hasLineItem = true
    line.insert(ReadyQueue.Item(rank: entry.rank, id: id), priority: entry.priority)
  }

  mutating func lineItemBecameStale() {
    line.itemBecameStale { [entries] item in entries[ifAny: item.id]?.rank != item.rank }
  }

  /// Puts a ready entry back where one in line for its limits comes before it.
  ///
  /// - Returns: Whether it was put back.
  mutating func putBackReady(_ id: EntryID, behind firstInLine: EntryID?) -> Bool {
    guard let firstInLine, let first = entries[firstInLine], let entry = entries[id], first.phase == .inLine else {
      return false
    }
    guard first.priority == entry.priority ? first.rank < entry.rank : first.priority > entry.priority else {
      return false
    }
    putBackReady(id)
    return true
  }
}
