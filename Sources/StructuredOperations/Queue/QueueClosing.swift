/// Decides whether a queue takes more operations, and when nothing is left in one that does not, so that the sequences of
/// its snapshots end.
struct QueueClosing: Sendable {
  /// Never false again once it is true.
  private(set) var isClosed = false
  /// How many barriers are in the queue; operations are counted by the snapshot.
  private var barrierCount = 0
  /// How many calls are about to post several operations together.
  private var additionsUnderWay = 0

  var hasBarriers: Bool { barrierCount > 0 }

  /// Whether operations are about to be posted together.
  var isAdding: Bool { additionsUnderWay > 0 }

  /// Whether nothing is in the queue, what was posted and no turn has admitted included.
  ///
  /// - Parameter operationCount: How many operations are in the queue, barriers not included.
  func isEmpty(operationCount: Int) -> Bool { operationCount == 0 && barrierCount == 0 }

  /// Whether the queue is closed and empty, for good.
  ///
  /// - Parameter operationCount: As above.
  func isOver(operationCount: Int) -> Bool { isClosed && !isAdding && isEmpty(operationCount: operationCount) }

  mutating func close() { isClosed = true }

  /// Operations are about to be assigned to the queue one by one, and posted together: if it is closed meanwhile it takes them still.
  ///
  /// - Returns: Whether it takes them; not where it is closed.
  mutating func beginAdding() -> Bool {
    if isClosed { return false }
    additionsUnderWay += 1
    return true
  }

  /// The operations were posted, or there were none that could be added.
  mutating func endAdding() {
    precondition(isAdding, "more additions ended than had begun")
    additionsUnderWay -= 1
  }

  mutating func barrierAdded() {
    precondition(!isClosed, "a closed queue took a barrier")
    barrierCount += 1
  }

  mutating func barriersFinished(_ count: Int) {
    precondition(count <= barrierCount, "more barriers finished than were added")
    barrierCount -= count
  }
}
