extension QueueScheduler {
  /// What a queue does next.
  enum Decision: Sendable {
    /// The entry finishes now, without a slot.
    case skip(EntryID, Work)
    /// The barrier will be skipped when all ahead of it have finished, and the task that waits for it goes on now.
    case dismissCaller(EntryID)
    /// The body that has waited gets a slot.
    case resume(EntryID)
    /// The entry gets a slot and runs.
    case start(EntryID, Work)
    case nothing
  }

  /// Chooses what is next: what is skipped, then bodies that resume, then what runs.
  ///
  /// - Parameter firstInLine: The first entry in line for its limits that can have them.
  mutating func next(firstInLine: EntryID? = nil) -> Decision {
    // Some of those that resume have waited for what is skipped.
    if let decision = nextSkippedCall() { return decision }
    if let (id, work) = nextSkipped() { return .skip(id, work) }
    if let id = nextResumption(firstInLine) { return .resume(id) }
    if let (id, work) = startNext(firstInLine) { return .start(id, work) }
    return .nothing
  }

  /// Those that a task waits for leave a suspended queue, too, and leave a barrier behind.
  private mutating func nextSkippedCall() -> Decision? {
    while let id = skippedCalls.popFirst() {
      guard let entry = entries[ifAny: id], entry.phase == .skipped, entry.runsInCaller else { continue }
      return entry.isBarrier ? .dismissCaller(id) : .skip(id, work(of: id))
    }
    return nil
  }

  /// Nothing else leaves a suspended queue.
  private mutating func nextSkipped() -> (id: EntryID, work: Work)? {
    guard !isSuspended else { return nil }
    while let id = skipped.popFirst() { if isSkipped(id) { return (id, work(of: id)) } }
    if let (id, entry) = dueBarrier, entry.phase == .skipped { return (id, work(of: id)) }
    return nil
  }

  private mutating func startNext(_ firstInLine: EntryID?) -> (id: EntryID, work: Work)? {
    guard hasFreeSlot, !startsAreHeld else { return nil }
    if let id = popReady(), !putBackReady(id, behind: firstInLine) {
      execute(id)
      return (id, work(of: id))
    }
    if let firstInLine, entries[firstInLine]?.phase == .inLine {
      execute(firstInLine)
      return (firstInLine, work(of: firstInLine))
    }
    guard let (id, entry) = dueBarrier, entry.phase == .ready else { return nil }
    execute(id)
    return (id, work(of: id))
  }

  /// What was chosen is not to begin after all: its slot is free again, and it waits in its place.
  mutating func putBack(_ id: EntryID) {
    guard var entry = entries[id], entry.phase == .executing else {
      preconditionFailure("entry \(id) was put back unchosen")
    }
    change(&entry, to: .blocked)
    entries[id] = entry
    executingCount -= 1
    notExecuting(entry)
  }

  /// Whether it is skipped still: it may have changed again, or be another one under the same identifier.
  private func isSkipped(_ id: EntryID) -> Bool {
    guard let entry = entries[ifAny: id] else { return false }
    return entry.phase == .skipped && !entry.isBarrier
  }

  /// Takes the first ready operation out of the first segment.
  mutating func popReady() -> EntryID? {
    while let item = segments[0].ready.popFirst() {
      guard let entry = entries[ifAny: item.id], entry.rank == item.rank else {
        segments[0].ready.discardedStaleItem()
        continue
      }
      entries[item.id]?.hasItem = false
      if entry.phase == .ready { return item.id }
    }
    return nil
  }
}
