import StructuredOperationsTesting
import TestSupport
import Testing

@testable import StructuredOperations

// Which of several failures is the first.
extension FailurePolicyTests {
  @Test("What is skipped for a failure that its queue has not heard of yet is not the first that failed")
  func failureBeforeDependents() throws {
    for seed in 0..<200 {
      let executor = SeededExecutor(seed: UInt64(seed) ^ SeededExecutor.ownStream)
      #expect(throws: Failure(code: 1), "seed \(seed)") {
        try executor.run {
          try await withOperationQueue(executor: executor, onFailure: .cancelAll) { queue in
            let root = AsyncOperation {
              await Task.yield()
              throw Failure(code: 1)
            }
            let dependent = AsyncOperation {}
            try await dependent.addDependency(root, requiring: .success)
            await queue.add(root)
            for _ in 0..<3 { await Task.yield() }
            await queue.add(dependent)
            await queue.add { for _ in 0..<6 { await Task.yield() } }
          }
        }
      }
    }
  }

  @Test("The failure that observers were told first is thrown, whichever the queue hears of first")
  func firstPublished() throws {
    var later = 0
    for seed in 0..<200 {
      let executor = SeededExecutor(seed: UInt64(seed) ^ SeededExecutor.ownStream)
      let first = Locked<Failure?>(nil)
      let observer = FailureObserver(first: first)
      do {
        try executor.run {
          try await withOperationQueue(executor: executor, onFailure: .cancelAll, observer: observer) { queue in
            for code in 0..<2 {
              await queue.add {
                await Task.yield()
                throw Failure(code: code)
              }
            }
          }
        }
        Issue.record("nothing was thrown")
      } catch {
        #expect(error as? Failure == first.current, "seed \(seed)")
        if (error as? Failure)?.code == 1 { later += 1 }
      }
    }
    #expect(later > 10, "one of them is always the first")
  }

  @Test("What a scope fails with is freed with it, and so is an operation that it names", arguments: [false, true])
  func failureIsFreed(isOwnError: Bool) async throws {
    let root = Locked<Weak?>(nil)
    func fail() async throws {
      let operation = AsyncOperation {}
      root.withLock { $0 = Weak(operation) }
      let failing = AsyncOperation { if isOwnError { throw Naming(operation: operation) } }
      try await failing.addDependency(operation, requiring: isOwnError ? .completion : .success)
      if !isOwnError { operation.cancel() }
      await #expect(throws: (any Error).self) {
        try await withOperationQueue(onFailure: .cancelAll) { _ = await $0.add(operation, failing) }
      }
    }
    try await fail()
    #expect(await eventually { root.current?.object == nil })
  }

  private struct Naming: Error {
    let operation: AsyncOperation<Void>
  }

  private struct FailureObserver: OperationObserver {
    let first: Locked<Failure?>

    func observe(_ event: OperationEvent) {
      if case .finished = event.kind { first.withLock { $0 = $0 ?? event.operation.error as? Failure } }
    }
  }
}
