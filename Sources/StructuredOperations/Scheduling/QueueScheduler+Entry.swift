extension QueueScheduler {
  /// The part of a queue between two barriers.
  struct Segment: Sendable {
    /// Operations that have not finished.
    private(set) var unfinished = 0
    /// Those of them that wait for a dependency.
    private(set) var pending = 0
    var ready = ReadyQueue()
    /// What ends the segment; nil for the last one.
    var barrier: EntryID?

    /// An entry is part of the segment, which stands as it does.
    mutating func note(_ entry: Entry) {
      if entry.isBarrier { return }
      unfinished += 1
      if entry.phase == .pending { pending += 1 }
    }

    /// Takes ``note(_:)`` back, before the entry stands otherwise.
    mutating func forget(_ entry: Entry) {
      if entry.isBarrier { return }
      unfinished -= 1
      if entry.phase == .pending { pending -= 1 }
    }
  }

  /// Without the work itself, so that an entry is copied for nothing.
  struct Entry: Sendable {
    /// The place in the order of addition.
    let number: Int
    /// The place among those of the same priority.
    var rank: Int
    /// Counted from the first segment that the queue ever had.
    var segment: Int
    var priority: QueuePriority
    var phase: Phase
    /// Whether a ready queue holds an item of this rank; it may, though the entry is not ready any more.
    var hasItem = false
    let isBarrier: Bool
    /// Whether it leaves a suspended queue, too.
    let isOfCaller: Bool
  }

  enum Phase: Sendable {
    /// Can transition to ready, leaving.
    case pending
    /// Can transition to pending, executing, leaving.
    case ready
    /// Can transition to pending, ready; ends with ``finished(_:)``.
    case leaving
    /// Holds a slot. Can transition to lending; ends with ``finished(_:)``.
    case executing
    /// Has lent its slot. Can transition to returning.
    case lending
    /// Waits for a slot to go on with. Can transition to executing.
    case returning

    /// Whether it has been chosen, so that nothing can happen to it any more but its end.
    var isChosen: Bool {
      switch self {
      case .pending, .ready, .leaving: false
      case .executing, .lending, .returning: true
      }
    }
  }
}
