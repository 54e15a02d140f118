import Testing

@testable import StructuredOperations

@Suite("QueueSnapshot")
struct QueueSnapshotTests {
  @Test("A new queue has had nothing, and is complete")
  func new() {
    let snapshot = QueueSnapshot(maxConcurrentOperationCount: -1)

    #expect(snapshot.operationCount == 0)
    #expect(snapshot.executingCount == 0)
    #expect(snapshot.completedCount == 0)
    #expect(snapshot.totalCount == 0)
    #expect(snapshot.fractionCompleted == 1)
    #expect(!snapshot.isSuspended)
    #expect(snapshot.maxConcurrentOperationCount == -1)
  }

  @Test(
    "The total is what is in the queue and what has finished, the fraction what has finished of it",
    arguments: [
      (inQueue: 4, finished: 0, total: 4, fraction: 0),
      (inQueue: 3, finished: 1, total: 4, fraction: 0.25),
      (inQueue: 1, finished: 3, total: 4, fraction: 0.75),
      (inQueue: 0, finished: 4, total: 4, fraction: 1),
    ] as [(inQueue: Int, finished: Int, total: Int, fraction: Double)])
  func progress(row: (inQueue: Int, finished: Int, total: Int, fraction: Double)) {
    var snapshot = QueueSnapshot(operationCount: row.inQueue, maxConcurrentOperationCount: 2)
    for _ in 0..<row.finished { snapshot.count(.succeeded) }

    #expect(snapshot.totalCount == row.total)
    #expect(snapshot.fractionCompleted == row.fraction)
  }

  @Test("What executes is part of what is in the queue and is not counted twice")
  func executing() {
    var snapshot = QueueSnapshot(operationCount: 3, executingCount: 2, maxConcurrentOperationCount: 2)
    snapshot.count(.cancelled)

    #expect(snapshot.totalCount == 4)
  }

  @Test("What has finished is counted by how it ended, and is the sum of that")
  func outcomes() {
    var snapshot = QueueSnapshot(maxConcurrentOperationCount: 2)
    snapshot.count(.succeeded)
    for _ in 0..<2 { snapshot.count(.failed) }
    for _ in 0..<4 { snapshot.count(.cancelled) }
    var outcomes = OutcomeCounts()
    for kind in [OutcomeKind.succeeded, .failed, .failed, .cancelled] { outcomes.count(kind) }
    #expect(outcomes.total == 4)
    snapshot.count(outcomes)

    #expect(snapshot.succeededCount == 2)
    #expect(snapshot.failedCount == 4)
    #expect(snapshot.cancelledCount == 5)
    #expect(snapshot.completedCount == 11)
  }
}
