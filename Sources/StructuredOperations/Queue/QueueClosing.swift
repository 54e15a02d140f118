/// Decides whether a queue takes more operations, and when nothing is left in one that does not, so that the sequences of
/// its snapshots end.
struct QueueClosing: Sendable {
  /// Never false again once it is true.
  private(set) var isClosed = false
  /// How many barriers are in the queue; operations are counted by the snapshot.
  private var barrierCount = 0

  /// Whether the queue is closed and empty, for good.
  ///
  /// - Parameter operationCount: How many operations are in the queue, barriers not included.
  func isOver(operationCount: Int) -> Bool { isClosed && operationCount == 0 && barrierCount == 0 }

  mutating func close() { isClosed = true }

  mutating func barrierAdded() {
    precondition(!isClosed, "a closed queue took a barrier")
    barrierCount += 1
  }

  mutating func barriersFinished(_ count: Int) {
    precondition(count <= barrierCount, "more barriers finished than were added")
    barrierCount -= count
  }
}
