import StructuredOperationsTesting
import TestSupport
import Testing

@testable import StructuredOperations

// Loops through the ends of scopes.
extension RegressionTests {
  private typealias Gate = TestSupport.Gate

  @Test("A scope that is empty, and has not ended, is cancelled if what it takes then waits for its body")
  func addedToEmptyScope() throws {
    for seed in UInt64(0)..<100 {
      let executor = SeededExecutor(seed: seed ^ SeededExecutor.ownStream)
      try executor.run {
        let scope = Locked<AsyncOperationQueue?>(nil)
        let last = AsyncOperation { await Task.yield() }
        let opening = AsyncOperation {
          try await valueOfScope(executor: executor) { inner in
            scope.withLock { $0 = inner }
            await inner.add(last)
          }
        }
        let dependent = AsyncOperation {}
        try await dependent.addDependency(opening)
        async let isTaken = {
          await last.waitUntilFinished()
          return await scope.current?.add(dependent)
        }()
        await AsyncOperationQueue(executor: executor).add(opening)

        let isDeadlocked = try await opening.value == -1
        #expect(await isTaken == isDeadlocked, "seed \(seed)")
      }
    }
  }

  /// Who waits for the end of a scope within another one.
  enum ScopeOpener: CaseIterable, Sendable { case body, closureOfRun, closureOfRunAfterwards }

  @Test(
    "A scope within one that can never end ends with that; one of a closure of run, which does not, is a deadlock, too",
    arguments: ScopeOpener.allCases)
  func scopeInScope(opener: ScopeOpener) async throws {
    let (outerScope, innerScope) = (Locked<AsyncOperationQueue?>(nil), Locked<AsyncOperationQueue?>(nil))
    let (begun, mayWait, mayOpen) = (Gate(), Gate(), Gate())
    let opening = AsyncOperation {
      try await valueOfScope { outer in
        outerScope.withLock { $0 = outer }
        await mayWait.wait()
      }
    }
    await AsyncOperationQueue().add(opening)
    #expect(await eventually { outerScope.current != nil })
    let outer = try #require(outerScope.current)
    @Sendable func openInnerScope() async throws -> Int {
      begun.open()
      await mayOpen.wait()
      return try await valueOfScope { inner in
        let dependent = AsyncOperation {}
        try await dependent.addDependency(opening)
        await inner.add(dependent)
        innerScope.withLock { $0 = inner }
      }
    }
    let value = Task {
      if opener == .body { return try await outer.add { try await openInnerScope() }.value }
      return try await outer.run { try await openInnerScope() }
    }
    await begun.wait()
    if opener == .closureOfRunAfterwards {
      mayWait.open()
      #expect(await eventually { await outer.state.scopeWait != nil })
      mayOpen.open()
    } else {
      mayOpen.open()
      let isAnalysed = await eventually {
        guard let inner = innerScope.current else { return false }
        return DependencyGraph.withLock { state, _ in state.watchers.contains(ObjectIdentifier(inner)) }
      }
      #expect(isAnalysed)
      mayWait.open()
    }

    if opener == .body {
      await #expect(throws: CancellationError.self) { try await value.value }
    } else {
      #expect(try await value.value == -1)
    }
    _ = try await opening.value
  }

  @Test("A closure of run that waits for a scope of its own goes on, in a scope that was cancelled with the one around")
  func scopeOfRunInCancelledScope() async throws {
    let (outerScope, innerScope) = (Locked<AsyncOperationQueue?>(nil), Locked<AsyncOperationQueue?>(nil))
    let (begun, mayWait, mayOpen) = (Gate(), Gate(), Gate())
    let opening = AsyncOperation {
      try await valueOfScope { around in
        await around.add {
          try await valueOfScope { outer in
            outerScope.withLock { $0 = outer }
            await begun.wait()
          }
        }
        await mayWait.wait()
      }
    }
    await AsyncOperationQueue().add(opening)
    #expect(await eventually { outerScope.current != nil })
    let outer = try #require(outerScope.current)
    let value = Task {
      try await outer.run {
        begun.open()
        await mayOpen.wait()
        return try await valueOfScope { inner in
          let dependent = AsyncOperation {}
          try await dependent.addDependency(opening)
          await inner.add(dependent)
          innerScope.withLock { $0 = inner }
        }
      }
    }
    await begun.wait()
    opening.cancel()
    #expect(await eventually { await outer.state.scope == .endingCancelled })
    mayOpen.open()
    let areAnalysed = await eventually {
      guard let inner = innerScope.current else { return false }
      return DependencyGraph.withLock { state, _ in
        [outer, inner].allSatisfy { state.watchers.contains(ObjectIdentifier($0)) }
      }
    }
    #expect(areAnalysed)
    // The body around begins to wait last, and closes the loop.
    mayWait.open()

    #expect(try await value.value == -1)
    await opening.waitUntilFinished()
  }

  @Test("A loop is found that leads through a cancelled barrier of a scope, which keeps its place")
  func cancelledBarrierOfScope() async throws {
    let (goOn, values, barrier) = (Gate(), Locked<[Int]>([]), Locked<AsyncOperation<Int>?>(nil))
    let opening = AsyncOperation {
      let operation = try #require(ExecutionContext.ofOwnTask).operation
      return try await valueOfScope { scope in
        let first = await scope.add {
          await goOn.wait()
          values.append(try await #require(barrier.current).valueOrDeadlock())
        }
        await scope.add {
          #expect(await eventually { first.storage.read { $0.wait != nil } })
          let value = try await valueOfScope { inner in
            let dependent = AsyncOperation {}
            try await dependent.addDependency(operation)
            await inner.add(dependent)
          }
          values.append(value)
        }
        let cancelled = await scope.addBarrier { 1 }
        cancelled.cancel()
        barrier.withLock { $0 = cancelled }
        goOn.open()
      }
    }
    await AsyncOperationQueue().add(opening)

    // The second body's wait closes a loop through both scopes, either of which may be found out of reach, or both. In a scope that is
    // cancelled with the one around it the wait is no deadlock.
    let isOuterDeadlocked = try await opening.value == -1
    #expect(values.current == [-1, -1] || isOuterDeadlocked && values.current == [-1])
  }

  @Test("A failed scope in a body throws its error, though what is in it waits for what waits for the body")
  func failedScopeAheadOfBarrier() async {
    for _ in 0..<100 {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
      let (behind, gate) = (AsyncOperation {}, Gate())
      let opening = await queue.add {
        await gate.wait()
        try await withOperationQueue { scope in
          let inside = AsyncOperation {}
          try await inside.addDependency(behind)
          await scope.add(inside)
          throw Failure()
        }
      }
      await queue.addBarrier {}
      await queue.add(behind)
      gate.open()
      await #expect(throws: Failure()) { try await opening.value }
    }
  }
}

/// - Returns: 0 once the scope has ended; -1 where it never would have.
private func valueOfScope(
  executor: SeededExecutor? = nil,
  _ body: @Sendable (AsyncOperationQueue) async throws -> Void
) async throws -> Int {
  do {
    try await withOperationQueue(executor: executor) { try await body($0) }
    return 0
  } catch OperationError.waitWouldDeadlock {
    return -1
  }
}
