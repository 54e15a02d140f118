// A body that waits lends its slot. It counts as executing all the while, so barriers wait for it, and takes a slot back
// ahead of all that has not begun.
extension QueueScheduler {
  /// Whether nothing that holds a slot, or is about to, can bring the queue on.
  var isAtRest: Bool { executingCount == 0 && returners.isEmpty }

  func isLending(_ id: EntryID) -> Bool { entries[id]?.phase == .lending }

  /// An executing entry waits, and its slot is free for others.
  mutating func lend(_ id: EntryID) {
    guard entries[id]?.phase == .executing else { preconditionFailure("entry \(id) lent a slot that it does not hold") }
    entries[id]?.phase = .lending
    executingCount -= 1
    lendingCount += 1
  }

  /// The wait is over: the entry goes on as soon as ``nextReturn()`` gives it a slot.
  mutating func returned(_ id: EntryID) {
    guard entries[id]?.phase == .lending else { preconditionFailure("entry \(id) returned and had not lent its slot") }
    entries[id]?.phase = .returning
    returners.append(id)
  }

  /// Gives the next of those that return its slot, in a suspended queue, too; where the limit is 0, one at a time.
  mutating func nextReturn() -> EntryID? {
    guard executingCount < max(width, 1), let id = returners.popFirst() else { return nil }
    entries[id]?.phase = .executing
    executingCount += 1
    lendingCount -= 1
    return id
  }
}
