extension QueueScheduler {
  /// The part of a queue between two barriers.
  struct Segment: Sendable {
    /// Operations that have not finished.
    private(set) var unfinished = 0
    /// Those of them that wait for a dependency.
    private(set) var blocked = 0
    var ready = ReadyQueue()
    /// What ends the segment; nil for the last one.
    var barrier: EntryID?

    /// Counts an entry as it is now.
    mutating func add(_ entry: Entry) {
      if entry.isBarrier { return }
      unfinished += 1
      if entry.phase == .blocked { blocked += 1 }
    }

    /// Undoes ``add(_:)``, before the entry changes.
    mutating func remove(_ entry: Entry) {
      if entry.isBarrier { return }
      unfinished -= 1
      if entry.phase == .blocked { blocked -= 1 }
    }
  }

  /// Without the work itself, so that copying an entry costs nothing.
  struct Entry: Sendable {
    /// The place in the order of addition.
    let number: Int
    /// The place among those of the same priority.
    var rank: Int
    /// Counted from the first segment that the queue ever had.
    var segment: Int
    var priority: QueuePriority
    var phase: Phase
    /// Whether its body has begun and has waited.
    var hasResumed = false
    /// Whether a ready queue holds an item of this rank; it may, though the entry is not ready any more.
    var hasItem = false
    /// Whether ``QueueScheduler/line`` holds an item of this rank; it may, though the entry is in no line any more.
    var hasLineItem = false
    let isBarrier: Bool
    /// Whether it leaves a suspended queue, too.
    let runsInCaller: Bool
  }

  enum Phase: Sendable {
    /// Can transition to ready, skipped. A barrier that is withdrawn ends with ``finished(_:)``.
    case blocked
    /// Can transition to blocked, inLine, executing, skipped. A barrier that is withdrawn ends with ``finished(_:)``.
    case ready
    /// Ready but for its concurrency limits. Can transition to ready, executing.
    case inLine
    /// Can transition to blocked, ready; ends with ``finished(_:)``.
    case skipped
    /// Holds a slot. Can transition to waiting, to blocked by ``putBack(_:)``, to inLine or back to resuming by
    /// ``standInLine(_:)``; ends with ``finished(_:)``.
    case executing
    /// Has released its slot. Can transition to resuming.
    case waiting
    /// Waits for a slot, or in line for its concurrency limits. Can transition to executing.
    case resuming

    init(_ readiness: OperationReadiness) {
      self =
        switch readiness {
        case .blocked: .blocked
        case .ready: .ready
        case .skipped: .skipped
        }
    }

    /// Whether it was chosen, so that readiness and priority no longer matter.
    var isChosen: Bool {
      switch self {
      case .blocked, .ready, .inLine, .skipped: false
      case .executing, .waiting, .resuming: true
      }
    }
  }
}

extension Array {
  /// The entry at a place that may be gone.
  subscript<Entry>(ifAny index: Int) -> Entry? where Element == Entry? { index < count ? self[index] : nil }
}
