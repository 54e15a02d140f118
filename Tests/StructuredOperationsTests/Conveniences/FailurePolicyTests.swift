import TestSupport
import Testing

@testable import StructuredOperations

@Suite("Failures in scopes", .hangGuard)
struct FailurePolicyTests {
  @Test(
    "By default a failure cancels nothing, and the scope does not throw",
    arguments: [nil, .continue] as [OperationFailurePolicy?])
  func continuing(policy: OperationFailurePolicy?) async throws {
    let runs = Locked(0)
    try await withOperationQueue(maxConcurrentOperationCount: 1, onFailure: policy ?? .continue) { queue in
      await queue.add { throw Failure() }.waitUntilFinished()
      for _ in 0..<3 { await queue.add { runs.increment() } }
    }
    #expect(runs.current == 3)
  }

  /// An operation that fails, in one of the ways in which operations finish.
  enum Way: CaseIterable, Sendable { case plain, withCompletionBlock, withDependent, asBarrier, byRun, skipped }

  @Test("The first failure cancels all others, whichever way the operation finishes", arguments: Way.allCases, [1, 3])
  func cancelling(way: Way, width: Int) async throws {
    let runs = Locked(0)
    await #expect(throws: (any Error).self) {
      try await withOperationQueue(maxConcurrentOperationCount: width, onFailure: .cancelAll) { queue in
        let blocker = Blocker()
        await queue.add(blocker.operation)
        switch way {
        case .plain: await queue.add { throw Failure(code: 1) }
        case .withCompletionBlock:
          let failing = AsyncOperation { throw Failure(code: 1) }
          await failing.setCompletionBlock { runs.withLock { $0 += 100 } }
          await queue.add(failing)
        case .withDependent:
          let failing = AsyncOperation { throw Failure(code: 1) }
          let dependent = AsyncOperation { () -> Void in Issue.record("the dependent ran") }
          try await dependent.addDependency(failing)
          await queue.add(failing, dependent)
        case .asBarrier: await queue.addBarrier { throw Failure(code: 1) }
        case .byRun:
          blocker.release.open()
          try? await queue.run { throw Failure(code: 1) }
        case .skipped:
          let failing = AsyncOperation { throw Failure(code: 1) }
          let dependent = AsyncOperation {}
          try await dependent.addDependency(failing, requiring: .success)
          try await failing.start()
          await queue.add(dependent)
        }
        // Ready, so that one would be next where operations are replaced without a turn.
        for _ in 0..<3 { await queue.add { if width == 1 { Issue.record("a ready one ran") } } }
        let waiting = await queue.add(queuePriority: .veryLow) { () -> Void in Issue.record("it ran") }
        try await waiting.addDependency(AsyncOperation {})
        blocker.release.open()
        await waiting.waitUntilFinished()
        #expect(waiting.isCancelled && queue.snapshot.failedCount == (way == .asBarrier ? 0 : 1))
        let late = await queue.add { () -> Void in Issue.record("the late one ran") }
        await late.waitUntilFinished()
      }
    }
    #expect(runs.current == (way == .withCompletionBlock ? 100 : 0))
  }

  @Test("Bodies that run are cancelled and awaited, and what is added goes at once though all slots are taken")
  func running() async throws {
    let (release, ended) = (Gate(), Locked(false))
    await #expect(throws: Failure(code: 1)) {
      try await withOperationQueue(maxConcurrentOperationCount: 2, onFailure: .cancelAll) { queue in
        let begun = Gate()
        let running = await queue.add {
          begun.open()
          await release.wait()
          ended.withLock { $0 = Task.isCancelled }
        }
        await begun.wait()
        await queue.add { throw Failure(code: 1) }.waitUntilFinished()
        try await queue.setMaxConcurrentOperationCount(1)
        #expect(running.isCancelled)
        await queue.add { () -> Void in Issue.record("it ran") }.waitUntilFinished()
        await #expect(throws: CancellationError.self) { try await queue.run { Issue.record("it ran") } }
        await #expect(throws: CancellationError.self) { try await queue.runBarrier { Issue.record("it ran") } }
        release.open()
      }
    }
    #expect(ended.current)
  }

  @Test("A suspended queue and a limit of 0 are lifted by a failure")
  func restraints() async throws {
    await #expect(throws: Failure(code: 1)) {
      try await withOperationQueue(maxConcurrentOperationCount: 1, onFailure: .cancelAll) { queue in
        let (begun, go) = (Gate(), Gate())
        await queue.add {
          begun.open()
          await go.wait()
          throw Failure(code: 1)
        }
        await begun.wait()
        await queue.suspend()
        try await queue.setMaxConcurrentOperationCount(0)
        let waiting = await queue.add { () -> Void in Issue.record("it ran") }
        go.open()
        await waiting.waitUntilFinished()
      }
    }
  }

  @Test("The first of many failures is thrown, of operations that nobody holds too", arguments: [1, 4])
  func first(width: Int) async throws {
    for _ in 0..<50 {
      let first = Locked<Int?>(nil)
      do {
        try await withOperationQueue(maxConcurrentOperationCount: width, onFailure: .cancelAll) { queue in
          for number in 0..<20 {
            await queue.add {
              if width == 1 { first.withLock { $0 = $0 ?? number } }
              throw Failure(code: number)
            }
          }
        }
        Issue.record("nothing was thrown")
      } catch {
        let code = try #require(error as? Failure).code
        if width == 1 { #expect(code == first.current) }
      }
    }
  }

  @Test(
    "The body's own error comes first, unless it is a cancellation; the failure comes before that of the task around")
  func order() async {
    await #expect(throws: Failure(code: 2)) {
      try await withOperationQueue(onFailure: .cancelAll) { queue in
        await queue.add { throw Failure(code: 1) }.waitUntilFinished()
        throw Failure(code: 2)
      }
    }
    await #expect(throws: Failure(code: 1)) {
      try await withOperationQueue(maxConcurrentOperationCount: 1, onFailure: .cancelAll) { queue in
        let go = Gate()
        await queue.add {
          await go.wait()
          throw Failure(code: 1)
        }
        let late = await queue.add { 42 }
        go.open()
        return try await late.value
      }
    }
    let around = Task {
      try await withOperationQueue(onFailure: .cancelAll) { queue in
        await queue.add { throw Failure(code: 1) }.waitUntilFinished()
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await #expect(throws: Failure(code: 1)) { try await around.value }
  }

  @Test(
    "The closure is not cancelled, and what it goes on to add is; an operation that adds is cancelled, though its source has no end"
  )
  func closure() async {
    await #expect(throws: Failure(code: 1)) {
      try await withOperationQueue(onFailure: .cancelAll) { queue in
        await queue.add { throw Failure(code: 1) }.waitUntilFinished()
        #expect(!Task.isCancelled)
        let late = await queue.add {}
        await late.waitUntilFinished()
        #expect(late.outcome?.isCancelled == true)
      }
    }
    let (numbers, source) = AsyncStream.makeStream(of: Int.self)
    source.yield(1)
    await #expect(throws: Failure(code: 1)) {
      try await withOperationQueue(onFailure: .cancelAll) { queue in
        await queue.add {
          for await number in numbers { await queue.add { throw Failure(code: number) } }
        }
      }
    }
    source.finish()
  }

  @Test("A cancellation is no failure; an error of cancellation without one is")
  func cancellations() async throws {
    let runs = Locked(0)
    try await withOperationQueue(onFailure: .cancelAll) { queue in
      let operation = AsyncOperation { throw CancellationError() }
      operation.cancel()
      await queue.addAndWait([operation])
      await queue.addAndWait([AsyncOperation { runs.increment() }])
    }
    #expect(runs.current == 1)
    await #expect(throws: CancellationError.self) {
      try await withOperationQueue(onFailure: .cancelAll) { queue in
        await queue.add { throw CancellationError() }
      }
    }
  }
}
