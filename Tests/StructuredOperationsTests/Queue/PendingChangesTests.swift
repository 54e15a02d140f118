import Testing

@testable import StructuredOperations

@Suite("PendingChanges")
struct PendingChangesTests {
  private let storages = (0..<2).map { _ in AsyncOperation {}.storage }

  private func post(
    _ changes: inout PendingChanges,
    _ change: OperationChange,
    of index: Int = 0,
    need: QueueSharedState.Mailbox.Need = .nothing,
    eventCount: Int = 100
  ) -> PendingChanges.Action {
    changes.post(change, of: ObjectIdentifier(storages[index]), need: need, eventCount: eventCount)
  }

  @Test(
    "A change that is pending is not posted again; one of another operation, kind or need is",
    arguments: [OperationChange.readiness, .limits])
  func once(change: OperationChange) {
    var changes = PendingChanges()
    let actions = (0..<2).map { _ in post(&changes, change) }
    #expect(actions == [.post, .nothing])
    let others = [
      post(&changes, change, of: 1), post(&changes, .priority), post(&changes, change, need: .slot),
    ]
    #expect(others == [.post, .post, .post])
  }

  @Test("A move is posted each time; once those that others replace are about half of the mailbox, it is rid of them")
  func moves() {
    var changes = PendingChanges()
    // The mailbox holds as many events as there were moves.
    let actions = (0..<4).map { post(&changes, .priority, eventCount: $0 + 4) }
    #expect(actions == [.post, .post, .post, .post])
    let last = post(&changes, .priority, eventCount: 7)
    #expect(last == .purgeAndPost)
    let next = post(&changes, .priority, eventCount: 4)
    #expect(next == .post)
  }

  @Test("Once a turn has collected them, nothing is pending")
  func collected() {
    var changes = PendingChanges()
    for change in [OperationChange.readiness, .priority, .priority] { _ = post(&changes, change) }
    changes.collect()
    let readiness = post(&changes, .readiness)
    let move = post(&changes, .priority, eventCount: 0)
    let another = post(&changes, .priority, eventCount: 2)
    #expect([readiness, move, another] == [.post, .post, .post])
  }
}
