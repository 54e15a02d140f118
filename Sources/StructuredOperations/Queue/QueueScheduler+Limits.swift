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
      notExecuting(entry)
    }
    entries[id] = entry
  }

  /// The entry is among the ready ones again, at its place.
  mutating func leaveLine(_ id: EntryID) {
    guard var entry = entries[id], entry.phase == .inLine else { preconditionFailure("entry \(id) was in no line") }
    entry.phase = .ready
    enlist(id, &entry)
    entries[id] = entry
  }

  /// Puts a ready entry back where one in line for its limits comes before it.
  ///
  /// - Returns: Whether it was put back.
  mutating func putBackReady(_ id: EntryID, behind limited: EntryID?) -> Bool {
    guard let limited, let first = entries[limited], let entry = entries[id], first.phase == .inLine else {
      return false
    }
    guard first.priority == entry.priority ? first.rank < entry.rank : first.priority > entry.priority else {
      return false
    }
    putBackReady(id)
    return true
  }
}
