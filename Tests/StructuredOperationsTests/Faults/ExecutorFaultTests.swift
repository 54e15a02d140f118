import Dispatch
import Testing
import TestSupport

@testable import StructuredOperations

@Suite("Executors that are slow or run on one thread", .hangGuard)
struct ExecutorFaultTests {
  /// Those that the tests try, by their names.
  private static func executor(_ name: String) -> any TaskExecutor {
    name == "slow" ? SlowExecutor() : LabelledExecutor(name)
  }

  @Test("Limit, dependencies and barriers hold, and everything ends", arguments: ["slow", "one thread"])
  func everythingEnds(name: String) async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 3, executor: Self.executor(name))
    let recorder = Recorder<Int>()
    let isAlone = Locked(true)
    var previous: AsyncOperation<Void>?
    for number in 0..<60 {
      let operation = AsyncOperation {
        recorder.begin(number)
        await Task.yield()
        recorder.end(number)
      }
      if let previous, number.isMultiple(of: 3) { try await operation.addDependency(previous) }
      previous = operation
      await queue.add(operation)
      if number % 20 == 19 {
        await queue.addBarrier {
          if !recorder.running.isEmpty || recorder.ended.count != number + 1 { isAlone.withLock { $0 = false } }
        }
      }
    }
    await queue.waitUntilAllOperationsAreFinished()

    #expect(recorder.ended.count == 60)
    #expect(recorder.peak <= 3)
    #expect(isAlone.current)
  }

  @Test("Bodies that wait for one another get on, also at width 1", arguments: ["slow", "one thread"])
  func recursion(name: String) async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, executor: Self.executor(name))
    @Sendable func sum(to number: Int) async throws -> Int {
      if number == 0 { return 0 }
      return try await number + queue.add { try await sum(to: number - 1) }.value
    }
    #expect(try await queue.add { try await sum(to: 20) }.value == 210)
  }

  @Test("Cancelling and suspending do not wait for them", arguments: ["slow", "one thread"])
  func control(name: String) async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2, executor: Self.executor(name))
    let runs = Locked(0)
    var all: [AsyncOperation<Void>] = []
    for round in 0..<20 {
      let operations = (0..<10).map { _ in AsyncOperation { runs.increment() } }
      all += operations
      await queue.add(operations)
      await queue.suspend()
      if round.isMultiple(of: 2) { await queue.cancelAllOperations() }
      #expect(operations.allSatisfy { $0.isFinished || $0.isCancelled || !round.isMultiple(of: 2) })
      await queue.resume()
    }
    await queue.waitUntilAllOperationsAreFinished()

    #expect(all.allSatisfy { $0.isFinished })
    #expect(all.filter { $0.outcome?.isSuccess == true }.count == runs.current)
  }

  @Test("One whose only thread is taken holds up its own operations alone")
  func taken() async throws {
    let executor = LabelledExecutor("taken")
    let release = Gate()
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
    let blocking = AsyncOperation(executor: executor) { release.waitBlocking() }
    let behind = AsyncOperation(executor: executor) { 1 }
    await queue.add(blocking)
    await blocking.reaches(.executing)
    // A slot of its own for it, and it has begun for all that the queue knows.
    await queue.add(behind)
    try await queue.setMaxConcurrentOperationCount(3)
    let others = (0..<100).map { number in AsyncOperation { number } }
    await queue.add(others)
    for (number, operation) in others.enumerated() { #expect(try await operation.value == number) }
    #expect(!behind.isFinished)
    release.open()
    #expect(try await behind.value == 1)
  }
}
