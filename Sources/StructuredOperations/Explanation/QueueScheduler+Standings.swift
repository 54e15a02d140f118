extension QueueScheduler {
  /// What keeps an entry from being chosen, or from going on, apart from the operation itself.
  struct Standing: Equatable, Sendable {
    enum Place: Equatable, Sendable {
      /// Not ready, or behind a barrier: in no line.
      case none
      /// The number in line for a slot, from 1 on, where all are taken, or due for others.
      case waitingForSlot(Int)
      /// A slot is there, and the start rate lets nothing begin.
      case heldByRate
      /// A slot is there; what it needs of limits may be lacking.
      case due
      /// It has a slot, or has had one.
      case chosen
      /// Its body has waited, and needs a slot that is not there.
      case returning

      /// Whether it begins once it has a slot, a start and its limits.
      var isInLine: Bool {
        switch self {
        case .waitingForSlot, .heldByRate, .due: true
        case .none, .chosen, .returning: false
        }
      }
    }

    var place = Place.none
    /// The barrier that has to finish first.
    var barrier: EntryID?
    var isBarrier = false
    /// Whether its body has lent its slot.
    var hasLentSlot = false
  }

  /// How all entries stand, by their identifiers; nil where there is none.
  ///
  /// O(n log n).
  ///
  /// - Parameter freed: How many of those that hold slots have finished, and are about to give them up.
  func standings(freed: Int, isRateExhausted: Bool) -> [Standing?] {
    var standings: [Standing?] = Array(repeating: nil, count: entries.count)
    var line: [(id: EntryID, entry: Entry)] = []
    let returningCount = slotRequests.count
    for id in entries.indices {
      guard let entry = entries[id] else { continue }
      var standing = Standing(isBarrier: entry.isBarrier, hasLentSlot: entry.phase == .waiting)
      standing.barrier = barrier(before: entry.segment)
      switch entry.phase {
      case .executing, .waiting: standing.place = .chosen
      case .resuming: standing.place = executingCount - freed < max(width, 1) ? .chosen : .returning
      case .ready, .inLine:
        let isDue = entry.segment == finishedSegments && (!entry.isBarrier || segments[0].unfinished == 0)
        if isDue { line.append((id, entry)) }
      case .blocked, .skipped: break
      }
      standings[id] = standing
    }
    line.sort { one, other in
      one.entry.priority == other.entry.priority
        ? one.entry.rank < other.entry.rank : one.entry.priority > other.entry.priority
    }
    let free = max(0, width - executingCount + freed - returningCount)
    var number = 0
    // In a queue that starts nothing there is no line.
    for (id, entry) in line where !isSuspended && width > 0 {
      // What is in line for limits takes no free slot from others.
      if entry.phase == .inLine, free > 0 {
        standings[id]?.place = isRateExhausted ? .heldByRate : .due
        continue
      }
      number += 1
      standings[id]?.place =
        if free > 0, isRateExhausted {
          .heldByRate
        } else {
          number > free ? .waitingForSlot(returningCount + number - free) : .due
        }
    }
    return standings
  }
}
