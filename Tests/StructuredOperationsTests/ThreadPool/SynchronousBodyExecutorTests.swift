import Testing
import TestSupport

@testable import StructuredOperations

#if !os(WASI)
  @Suite("SynchronousBodyExecutor", .hangGuard)
  struct SynchronousBodyExecutorTests {
    /// The executor of synchronous bodies, whose threads keep jobs for themselves, and the pool's own, whose do not.
    private static let executors: [any TaskExecutor] = [SynchronousBodyExecutor.shared, OperationThreadPool.shared]

    @Test("A job that a body enqueues runs elsewhere, so the body may block on it", arguments: 0..<2)
    func jobOfBody(executor: Int) async throws {
      let operation = AsyncOperation {
        let done = Gate()
        Task(executorPreference: Self.executors[executor]) { done.open() }
        done.waitBlocking()
      }
      try await operation.start()
      #expect(operation.outcome?.isSuccess == true)
    }

    @Test("A job that its thread kept for itself is given away before a body begins", arguments: 0..<2)
    func keptJob(executor: Int) async {
      await Task(executorPreference: Self.executors[executor]) {
        let done = Gate()
        Task(executorPreference: Self.executors[executor]) { done.open() }
        OperationThreadPool.blocking { done.waitBlocking() }
      }.value
    }

    @Test("Jobs of both executors run on the pool's threads, and each of them runs", arguments: 0..<2)
    func manyJobs(executor: Int) async {
      await Task(executorPreference: Self.executors[executor]) {
        await withTaskGroup { group in
          for number in 0..<1_000 {
            group.addTask(executorPreference: Self.executors[(number + executor) % 2]) {
              await Task.yield()
              return isOnPoolThread() ? number : 0
            }
          }
          #expect(await group.reduce(0, +) == 499_500)
        }
      }.value
    }

    @Test("Tasks that never rest do not keep the jobs of others waiting")
    func fairness() async {
      let restless = (0..<64).map { _ in
        Task(executorPreference: SynchronousBodyExecutor.shared) {
          while !Task.isCancelled { await Task.yield() }
        }
      }
      // On a thread of its own: while it waited for one among the tests of all suites, these would take the processors.
      await Task(executorPreference: LabelledExecutor("starting")) {
        for _ in 0..<10 { try? await AsyncOperation {}.start() }
        for task in restless { task.cancel() }
      }.value
      for task in restless { await task.value }
    }
  }

  /// Asked by a function, since an asynchronous one may not ask for its thread.
  private func isOnPoolThread() -> Bool { PoolThread.current != nil }
#endif
