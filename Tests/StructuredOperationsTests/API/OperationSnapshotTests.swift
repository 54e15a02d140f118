import Testing

@testable import StructuredOperations

@Suite("OperationSnapshot")
struct OperationSnapshotTests {
  @Test(
    "The answers follow from the state, cancelled or not",
    arguments: [
      (.pending, isReady: false, isExecuting: false, isFinished: false),
      (.ready, isReady: true, isExecuting: false, isFinished: false),
      (.executing, isReady: true, isExecuting: true, isFinished: false),
      (.finished, isReady: true, isExecuting: false, isFinished: true),
    ] as [(OperationState, isReady: Bool, isExecuting: Bool, isFinished: Bool)], [false, true])
  func answers(
    row: (state: OperationState, isReady: Bool, isExecuting: Bool, isFinished: Bool),
    isCancelled: Bool
  ) {
    let snapshot = OperationSnapshot(state: row.state, isCancelled: isCancelled)

    #expect(snapshot.state == row.state)
    #expect(snapshot.isCancelled == isCancelled)
    #expect(snapshot.isReady == row.isReady)
    #expect(snapshot.isExecuting == row.isExecuting)
    #expect(snapshot.isFinished == row.isFinished)
  }

  @Test("Snapshots are equal where both the state and the cancellation are")
  func equality() {
    let snapshots: Set<OperationSnapshot> = [
      OperationSnapshot(state: .ready, isCancelled: false), OperationSnapshot(state: .ready, isCancelled: true),
      OperationSnapshot(state: .finished, isCancelled: true), OperationSnapshot(state: .ready, isCancelled: true),
    ]

    #expect(snapshots.count == 3)
  }
}
