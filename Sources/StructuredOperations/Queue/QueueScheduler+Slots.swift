// A body that waits releases its slot. It counts as executing meanwhile, so barriers wait for it, and it reacquires a
// slot ahead of all that has not begun.
extension QueueScheduler {
  /// Whether no entry holds a slot, asks for one, or is about to start by time.
  var isQuiescent: Bool { executingCount == 0 && slotRequests.isEmpty && !startsAreHeld }

  /// How many slots are free; less than none where the width has shrunk.
  var freeSlotCount: Int { width - executingCount }

  /// Operations that have released their slots, barriers not included.
  var waitingOperationCount: Int { waitingCount > 0 && isBarrierWaiting ? waitingCount - 1 : waitingCount }

  func hasReleasedSlot(_ id: EntryID) -> Bool { entries[id]?.phase == .waiting }

  /// An executing entry waits, and its slot is free for others.
  mutating func releaseSlot(_ id: EntryID) {
    guard entries[id]?.phase == .executing else { preconditionFailure("entry \(id) released a slot that it has not") }
    entries[id]?.phase = .waiting
    executingCount -= 1
    waitingCount += 1
  }

  /// The wait is over: the entry resumes as soon as ``next()`` gives it a slot.
  mutating func requestSlot(_ id: EntryID) {
    guard entries[id]?.phase == .waiting else {
      preconditionFailure("entry \(id) requested a slot and was not waiting")
    }
    entries[id]?.phase = .resuming
    slotRequests.append(id)
  }

  /// Whether there is a slot for a body that resumes: in a suspended queue, too; where the limit is 0, for one at a time.
  var canResume: Bool { executingCount < max(width, 1) }

  /// Gives the next of those that resume its slot.
  ///
  /// - Parameter firstInLine: The first entry in line for its limits that can have them; it has asked before all others.
  mutating func nextResumption(_ firstInLine: EntryID? = nil) -> EntryID? {
    guard canResume else { return nil }
    let returning = firstInLine.flatMap { entries[$0]?.phase == .resuming ? $0 : nil }
    guard let id = returning ?? slotRequests.popFirst() else { return nil }
    entries[id]?.hasResumed = true
    entries[id]?.phase = .executing
    executingCount += 1
    waitingCount -= 1
    return id
  }
}
