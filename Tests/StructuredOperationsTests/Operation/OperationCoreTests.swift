import Testing

@testable import StructuredOperations

/// What threads that meet make of an operation, asked step by step.
@Suite("OperationCore")
struct OperationCoreTests {
  private let queue = AsyncOperationQueue(isSuspended: true)
  private let operation = AsyncOperation {}
  private var core: OperationCore { operation.core }

  /// Has the body of the operation begun in this task, which never runs it.
  private func begin() throws {
    #expect(core.enqueue(operation, in: queue).answer == .enqueued)
    let task = try #require(BodyTask.current)
    #expect(core.begin(in: task, isClaimed: false).body != nil)
  }

  /// Tries to finish in one step.
  private func finishPlainly() -> Bool {
    core.finishPlainly(.output(OperationOutput(()))) { true } == true
  }

  @Test("An operation finishes in one step, for all to see and for those who wait")
  func plain() throws {
    try begin()
    #expect(finishPlainly())
    #expect(operation.isFinished && core.isSettled)
    #expect(core.enqueuedOperation == nil)
  }

  @Test("It does not while somebody uses the handle of its task")
  func lease() throws {
    try begin()
    let lease = try #require(core.markCancelled())
    #expect(!finishPlainly())
    #expect(operation.state == .executing)
    core.use(lease) { _ in }
    #expect(finishPlainly())
  }

  @Test("It does not where the queue does not let go of it")
  func kept() throws {
    try begin()
    #expect(core.finishPlainly(.output(OperationOutput(()))) { Bool?.none } == nil)
    #expect(operation.state == .executing)
    #expect(finishPlainly())
  }

  @Test("It does not where somebody has to be told")
  func dependent() async throws {
    let dependent = AsyncOperation {}
    try await dependent.addDependency(operation)
    try begin()
    #expect(!finishPlainly())
    await dependent.removeDependency(operation)
    await operation.setCompletionBlock {}
    #expect(!finishPlainly())
    await operation.setCompletionBlock(nil)
    #expect(finishPlainly())
  }
}
