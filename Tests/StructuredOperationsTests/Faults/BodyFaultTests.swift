import Foundation
import Testing
import TestSupport

@testable import StructuredOperations

@Suite("Bodies that throw or never end", .hangGuard)
struct BodyFaultTests {
  /// One operation of each kind of body, all of which throw.
  private func failing(_ number: Int) -> [AsyncOperation<Void>] {
    let error = Failure(code: number)
    let asynchronous = AsyncOperation<Void> {
      await Task.yield()
      throw error
    }
    let blocks = ExecutionBlocks { throw error }
    return [
      AsyncOperation<Void> { throw error },
      asynchronous,
      AsyncOperation<Void> { $0.finish(throwing: error) },
      AsyncOperation(blocks),
    ]
  }

  @Test("Bodies of every kind that throw hold no slot afterwards, and no dependent", arguments: [1, 3])
  func throwing(limit: Int) async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: limit)
    let runs = Locked(0)
    var all: [AsyncOperation<Void>] = []
    for number in 0..<100 {
      for operation in failing(number) {
        let dependent = AsyncOperation { runs.increment() }
        let strict = AsyncOperation { runs.increment() }
        try await dependent.addDependency(operation)
        try await strict.addDependency(operation, requiring: .success)
        all += [strict, dependent, operation]
      }
    }
    await queue.addAndWait(all)

    #expect(runs.current == 400)
    for (number, operation) in all.enumerated() where number % 3 == 2 {
      #expect(operation.outcome?.error as? Failure == Failure(code: number / 12))
      let strict = all[number - 2].outcome?.error as? OperationError
      #expect(strict?.root?.operation === operation)
      #expect(strict?.root?.underlying as? Failure == Failure(code: number / 12))
    }
    #expect(queue.snapshot.completedCount == 1_200)
    #expect(queue.snapshot.executingCount == 0)
  }

  @Test("Callers of run() whose closures throw give their slots back")
  func throwingCallers() async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
    await withTaskGroup { group in
      for number in 0..<200 {
        group.addTask {
          await #expect(throws: Failure(code: number)) {
            try await queue.run {
              await Task.yield()
              throw Failure(code: number)
            }
          }
        }
      }
    }
    #expect(queue.operationCount == 0)
  }

  @Test("Bodies that block for ever stop nobody: neither those beside them, nor the end of the process")
  func blockedForEver() async {
    await #expect(processExitsWith: .success) {
      HangGuard.watch("Bodies that block for ever stop nobody: neither those beside them, nor the end of the process")
      let never = Gate()
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 20)
      let blocked = (0..<16).map { _ in AsyncOperation(queuePriority: .veryHigh) { never.waitBlocking() } }
      let stuck = (0..<3).map { _ in AsyncOperation(queuePriority: .veryHigh) { await never.wait() } }
      let runs = Locked(0)
      let others = (0..<1_000).map { number in
        number.isMultiple(of: 2)
          ? AsyncOperation { runs.increment() }
          : AsyncOperation {
            await Task.yield()
            runs.increment()
          }
      }
      await queue.add(blocked + stuck + others)
      for operation in blocked + stuck { await operation.reaches(.executing) }
      for operation in others { await operation.waitUntilFinished() }
      #expect(runs.current == 1_000)
      #expect(queue.snapshot.executingCount == 19)

      // Nor does cancelling all wait for them.
      let waiting = AsyncOperation {}
      _ = try? await waiting.addDependency(blocked[0])
      await queue.add(waiting)
      await queue.cancelAllOperations()
      await waiting.waitUntilFinished()
      #expect(queue.operationCount == 19)
    }
  }
}
