import TestSupport
import Testing

@testable import StructuredOperations

/// What becomes of an operation that threads use at the same time, step by step.
@Suite("OperationStorage")
struct OperationStorageTests {
  private let queue = AsyncOperationQueue(isSuspended: true)
  private let operation = AsyncOperation {}
  private var storage: OperationStorage { operation.storage }

  /// Has the body of the operation begun in this task, which never runs it.
  private func begin() throws {
    #expect(
      storage.enqueue(operation, in: queue)
        == .enqueued(OperationStateMachine.Enqueued(readiness: .ready, priority: .normal)))
    let task = try #require(BodyTask.current)
    guard case .run = storage.begin(in: task, isPrefetched: true) else { throw Unexpected("not begun") }
  }

  /// Tries to finish in one step.
  private func finishesAtOnce() -> Bool {
    var result: OperationBody.Result? = .output(OperationOutput(()))
    let isFinished = storage.finishAtOnce(&result) { _, _ in true } == true
    #expect((result == nil) == isFinished)
    return isFinished
  }

  @Test("An edge that is not added is unknown to the dependency: where it is too late, and where it would close a loop")
  func refusedEdges() async throws {
    let (dependency, dependent) = (AsyncOperation {}, AsyncOperation {})
    try await operation.start()

    #expect(try await !operation.addDependency(dependency))
    #expect(dependency.storage.read { $0.dependents.isEmpty })

    try await dependent.addDependency(dependency)
    await #expect(throws: OperationError.self) { try await dependency.addDependency(dependent) }
    #expect(dependent.storage.read { $0.dependents.isEmpty })
    #expect(dependency.storage.read { $0.dependencies.isEmpty })
  }

  @Test("An operation that finishes in one step is seen as finished, and has told everyone")
  func finishAtOnce() throws {
    try begin()
    #expect(finishesAtOnce())
    #expect(operation.isFinished && storage.isEveryoneTold)
    #expect(storage.enqueuedOperation == nil)
  }

  @Test(
    "The queue is told how an operation ends that finishes in one step: an error of cancellation counts as such only where there was a cancellation",
    arguments: [
      (CancellationError(), false, .failed), (CancellationError(), true, .cancelled), (Failure(), true, .failed),
      (nil, true, .succeeded),
    ] as [((any Error)?, Bool, OutcomeKind)])
  func outcomeKind(row: (error: (any Error)?, isCancelled: Bool, kind: OutcomeKind)) throws {
    try begin()
    if row.isCancelled { storage.apply { $0.taskWasCancelled() } }
    var result: OperationBody.Result? = row.error.map(OperationBody.Result.error) ?? .output(OperationOutput(()))

    #expect(storage.finishAtOnce(&result) { kind, _ in kind } == row.kind)
    #expect(storage.outcome?.kind == row.kind)
  }

  @Test("An operation does not finish in one step while somebody uses the handle of its task")
  func lease() throws {
    try begin()
    let lease = try #require(storage.markCancelled())
    #expect(!finishesAtOnce())
    #expect(operation.state == .executing)
    storage.use(lease) { _ in }
    #expect(finishesAtOnce())
  }

  @Test("An operation does not finish in one step where the queue has nothing for its child task")
  func kept() throws {
    try begin()
    var result: OperationBody.Result? = .output(OperationOutput(()))
    #expect(storage.finishAtOnce(&result) { _, _ in Bool?.none } == nil)
    #expect(result != nil)
    #expect(operation.state == .executing)
    #expect(finishesAtOnce())
  }

  @Test("An operation does not finish in one step where a dependent or a completion block follows")
  func dependent() async throws {
    let dependent = AsyncOperation {}
    try await dependent.addDependency(operation)
    try begin()
    #expect(!finishesAtOnce())
    await dependent.removeDependency(operation)
    await operation.setCompletionBlock {}
    #expect(!finishesAtOnce())
    await operation.setCompletionBlock(nil)
    #expect(finishesAtOnce())
  }
}
