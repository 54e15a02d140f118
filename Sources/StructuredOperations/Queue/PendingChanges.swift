/// Decides which changes of operations a queue's mailbox keeps until the next turn.
///
/// The turn that applies a change reads how the operation is then, so the first of several changes will do. But of several moves
/// to the end of a level the last one counts, or two operations that move in turn would come in a wrong order. Moves that a later
/// one replaces are removed from time to time. So the mailbox does not grow with the number of changes, however long no turn comes.
struct PendingChanges: Sendable {
  private struct Change: Hashable {
    let operation: ObjectIdentifier
    let change: OperationChange
    /// Changes of other needs are other changes.
    let need: QueueSharedState.Mailbox.Need
  }

  private var changes: Set<Change> = []
  /// How many moves have been posted, since the mailbox was rid of them, that replace one there.
  private var replacedMoveCount = 0

  enum Action: Equatable, Sendable {
    /// The mailbox holds the same change, and that will do.
    case nothing
    case post
    /// Before that the mailbox is to be rid of moves that others in it replace.
    case purgeAndPost
  }

  /// A change is about to be posted.
  ///
  /// - Parameter eventCount: How many events the mailbox holds.
  mutating func post(
    _ change: OperationChange,
    of operation: ObjectIdentifier,
    need: QueueSharedState.Mailbox.Need,
    eventCount: Int
  ) -> Action {
    if changes.insert(Change(operation: operation, change: change, need: need)).inserted { return .post }
    guard change == .priority else { return .nothing }
    replacedMoveCount += 1
    // Seldom enough for O(1) a change, amortised.
    guard replacedMoveCount > eventCount / 2 else { return .post }
    replacedMoveCount = 0
    return .purgeAndPost
  }

  /// A turn has collected them.
  mutating func collect() {
    if changes.isEmpty { return }
    changes = []
    replacedMoveCount = 0
  }
}
