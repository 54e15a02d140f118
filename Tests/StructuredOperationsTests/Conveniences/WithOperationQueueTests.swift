import Testing
import TestSupport

@testable import StructuredOperations

@Suite("withOperationQueue", .hangGuard)
struct WithOperationQueueTests {
  @Test("It gives the body's result when all operations have ended")
  func result() async throws {
    let runs = Locked(0)
    let result = try await withOperationQueue(name: "scope", maxConcurrentOperationCount: 2) { queue in
      #expect(queue.name == "scope")
      for _ in 0..<100 {
        await queue.add {
          await Task.yield()
          runs.increment()
        }
      }
      return 5
    }
    #expect(result == 5)
    #expect(runs.current == 100)
  }

  @Test("It waits for what operations add, and for completion blocks, which may add operations")
  func addedMeanwhile() async throws {
    let recorder = Recorder<String>()
    try await withOperationQueue(maxConcurrentOperationCount: 1) { queue in
      let operation = AsyncOperation {
        await queue.add { recorder.note("added by a body") }
      }
      await operation.setCompletionBlock {
        await operation.waitUntilFinished()
        for _ in 0..<50 { await Task.yield() }
        let last = AsyncOperation { recorder.note("added by a completion block") }
        await last.setCompletionBlock {
          for _ in 0..<50 { await Task.yield() }
          recorder.note("last completion block")
        }
        #expect(await queue.add(last))
      }
      await queue.add(operation)
    }
    #expect(recorder.ended == ["added by a body", "added by a completion block", "last completion block"])
  }

  @Test("Where the body throws, all operations are cancelled and awaited, and the error is thrown")
  func bodyThrows() async {
    let ran = Locked<[String]>([])
    let running = Blocker()
    let waiting = AsyncOperation { ran.append("waiting") }
    let pending = AsyncOperation { ran.append("pending") }
    await #expect(throws: Failure(code: 1)) {
      try await withOperationQueue(maxConcurrentOperationCount: 1) { queue in
        try await pending.addDependency(AsyncOperation {})
        await queue.add(running.operation, waiting, pending)
        await running.begun.wait()
        Task { [release = running.release] in
          while !running.operation.isCancelled { await Task.yield() }
          release.open()
        }
        throw Failure(code: 1)
      }
    }
    #expect(running.operation.snapshot == OperationSnapshot(state: .finished, isCancelled: true))
    #expect(waiting.outcome?.isCancelled == true)
    #expect(pending.outcome?.isCancelled == true)
    #expect(ran.current == [])
  }

  @Test("Where the calling task is cancelled, all operations are, and it throws CancellationError")
  func callerCancelled() async {
    let (begun, told) = (Gate(), Gate())
    let operations = Locked<[AsyncOperation<Void>]>([])
    let caller = Task {
      try await withOperationQueue(maxConcurrentOperationCount: 1) { queue in
        let running = AsyncOperation {
          await withTaskCancellationHandler {
            begun.open()
            await told.wait()
          } onCancel: {
            told.open()
          }
        }
        let waiting = AsyncOperation<Void> { Issue.record("it ran") }
        operations.append(running)
        operations.append(waiting)
        await queue.add(running, waiting)
      }
    }
    await begun.wait()
    caller.cancel()
    await #expect(throws: CancellationError.self) { try await caller.value }
    #expect(operations.current.allSatisfy { $0.isFinished && $0.isCancelled })
    #expect(operations.current[1].outcome?.isCancelled == true)
  }

  @Test("In a cancelled scope what is added later is cancelled, too, and skipped though the queue was suspended")
  func addedToCancelledScope() async {
    let (begun, go) = (Gate(), Gate())
    let later = AsyncOperation<Void> { Issue.record("it ran") }
    let caller = Task {
      try await withOperationQueue(maxConcurrentOperationCount: 0, isSuspended: true) { queue in
        begun.open()
        await go.wait()
        #expect(Task.isCancelled)
        try #require(await queue.add(later))
        await later.waitUntilFinished()
        await queue.addBarrier { Issue.record("the barrier ran") }
        await #expect(throws: CancellationError.self) {
          try await queue.run { () -> Void in Issue.record("the closure ran") }
        }
      }
    }
    await begun.wait()
    caller.cancel()
    go.open()
    await #expect(throws: CancellationError.self) { try await caller.value }
    #expect(later.outcome?.isCancelled == true)
    #expect(later.isCancelled)
  }

  @Test(
    "The caller is cancelled at any moment: the scope takes what its body adds, and all of it has finished at its end")
  func cancellationRace() async {
    let wrong = Locked<[String]>([])
    for round in 0..<300 {
      let all = Locked<[AsyncOperation<Bool>]>([])
      let begun = Gate()
      let caller = Task {
        try await withOperationQueue(maxConcurrentOperationCount: 2) { queue in
          for number in 0..<20 {
            let operation = AsyncOperation {
              begun.open()
              await Task.yield()
              return Task.isCancelled
            }
            all.append(operation)
            if await !queue.add(operation) { wrong.append("round \(round): refused") }
            if number == round % 20 { await Task.yield() }
          }
        }
      }
      if !round.isMultiple(of: 3) { await begun.wait() }
      caller.cancel()
      _ = await caller.result
      for operation in all.current {
        switch operation.outcome {
        case .success(let wasCancelled) where operation.isCancelled || !wasCancelled: break
        case .cancelled where operation.isCancelled: break
        case let outcome: wrong.append("round \(round): \(String(describing: outcome))")
        }
      }
    }
    #expect(wrong.current.prefix(3) == [])
  }

  @Test("At the end of the body a suspended queue is resumed, and the limit 0 becomes 1")
  func restraint() async throws {
    let runs = Locked(0)
    let queue = try await withOperationQueue(maxConcurrentOperationCount: 0, isSuspended: true) { queue in
      await queue.add { runs.increment() }
      await queue.addBarrier { runs.increment() }
      return queue
    }
    #expect(runs.current == 2)
    #expect(queue.maxConcurrentOperationCount == 1)
    #expect(!queue.isSuspended)
  }

  @Test("After the body nobody can hold the queue back any more")
  func restraintAfterwards() async throws {
    let runs = Locked(0)
    try await withOperationQueue(maxConcurrentOperationCount: 1) { queue in
      await queue.add {
        runs.increment()
        await queue.add { runs.increment() }
        for _ in 0..<20 {
          await queue.suspend()
          try await queue.setMaxConcurrentOperationCount(0)
          await Task.yield()
        }
      }
    }
    #expect(runs.current == 2)
  }

  @Test("A queue that escapes takes no more, in any form, and leaves operations as they were")
  func escaped() async throws {
    let queue = try await withOperationQueue { $0 }
    let operation = AsyncOperation {}
    #expect(await !queue.add(operation))
    #expect(await queue.add([operation]) == 0)
    await #expect(throws: OperationError.queueClosed) { try await queue.enqueue(operation) }
    await #expect(throws: OperationError.queueClosed) { try await queue.run {} }
    await queue.addBarrier { Issue.record("the barrier ran") }
    await queue.waitUntilAllOperationsAreFinished()
    #expect(queue.operationCount == 0)
    #expect(operation.state == .ready)
    #expect(await AsyncOperationQueue().add(operation))
    await operation.waitUntilFinished()
  }

  @Test("An operation that fails cancels nothing")
  func failure() async throws {
    let other = AsyncOperation { 1 }
    try await withOperationQueue(maxConcurrentOperationCount: 1) { queue in
      await queue.add { throw Failure() }
      await queue.add(other)
    }
    #expect(try await other.value == 1)
  }

  @Test("Bodies inherit the caller's task-local values and priority")
  func inherited() async throws {
    let seen = Locked<[Int]>([])
    let priorities = Locked<[TaskPriority?]>([])
    @Sendable func note() {
      seen.append(ScopeValue.number)
      priorities.append(Task.basePriority)
    }
    try await Task(priority: .low) {
      try await ScopeValue.$number.withValue(3) {
        try await withOperationQueue { queue in
          await queue.add { note() }
          await queue.add {
            await Task.yield()
            note()
          }
          await queue.add(AsyncOperation(ExecutionBlocks { note() }))
          await queue.addBarrier { note() }
        }
      }
    }.value
    #expect(seen.current == [3, 3, 3, 3])
    #expect(priorities.current.allSatisfy { $0 == .low })
  }

  @Test("The executor runs everything of the scope")
  func executor() async throws {
    let places = Locked<[String?]>([])
    try await withOperationQueue(executor: LabelledExecutor("scope")) { queue in
      let operation = await queue.add { places.append(LabelledExecutor.currentLabel) }
      await operation.setCompletionBlock(nil)
      await queue.add {
        await Task.yield()
        places.append(LabelledExecutor.currentLabel)
      }
    }
    #expect(places.current == ["scope", "scope"])
  }

  @Test("Scopes may be nested, and run many at a time")
  func nested() async throws {
    let runs = Locked(0)
    try await withOperationQueue(maxConcurrentOperationCount: 2) { outer in
      for _ in 0..<20 {
        await outer.add {
          try await withOperationQueue(maxConcurrentOperationCount: 2) { inner in
            for _ in 0..<10 { await inner.add { runs.increment() } }
          }
        }
      }
    }
    #expect(runs.current == 200)
  }

  @Test("The queue and its operations are freed after the scope")
  func freed() async throws {
    let weak = Locked<[Weak]>([])
    try await withOperationQueue { queue in
      weak.append(Weak(queue))
      weak.append(Weak(await queue.add {}))
    }
    #expect(await eventually { weak.current.allSatisfy { $0.object == nil } })
  }

  @Test(
    "A completion block that is set after the finish is waited for, whether the scope's closure or an operation sets it"
  )
  func lateCompletionBlock() async throws {
    for setsInOperation in [false, true] {
      let (begun, release) = (Gate(), Gate())
      let isDone = Locked(false)
      let block: @Sendable () async -> Void = {
        begun.open()
        await release.wait()
        isDone.withLock { $0 = true }
      }
      let scope = Task {
        try await withOperationQueue { queue in
          let operation = await queue.add {}
          await operation.waitUntilFinished()
          if setsInOperation {
            await queue.add { await operation.setCompletionBlock(block) }
          } else {
            await operation.setCompletionBlock(block)
          }
        }
        return isDone.current
      }
      await begun.wait()
      release.open()
      #expect(try await scope.value)
    }
  }

  @Test("A completion block that is set after the end of the scope runs all the same")
  func completionBlockAfterScope() async throws {
    let operation = try await withOperationQueue { queue in await queue.add {} }
    let done = Gate()
    await operation.setCompletionBlock { done.open() }
    await done.wait()
  }

  @Test("An operation with a dependency outside of the scope is waited for")
  func outsideDependency() async throws {
    let dependency = AsyncOperation {}
    let operation = AsyncOperation {}
    try await operation.addDependency(dependency)
    let body = Gate()
    let scope = Task {
      try await withOperationQueue { queue in
        await queue.add(operation)
        body.open()
      }
      return operation.isFinished
    }
    await body.wait()
    try await dependency.start()
    #expect(try await scope.value)
  }

  /// Not the closure's own isolation, which would have it switch by itself, but that of whoever calls this.
  private nonisolated(nonsending) static func placesOfClosure(fails: Bool) async -> [Bool] {
    var places: [Bool] = []
    do {
      try await withOperationQueue { queue in
        places.append(PlaceProbe.isHere)
        await queue.add { await Task.yield() }
        places.append(PlaceProbe.isHere)
        if fails { throw Failure() }
      }
      places.append(PlaceProbe.isHere)
    } catch {
      places.append(PlaceProbe.isHere)
    }
    return places
  }

  @Test(
    "A closure without isolation of its own runs on the caller's actor, as does what follows", arguments: [false, true])
  func callersActor(fails: Bool) async throws {
    for _ in 0..<10 {
      let places = await PlaceProbe().places { await Self.placesOfClosure(fails: fails) }
      #expect(places == [true, true, true, true, true])
    }
    let body = await AsyncOperationQueue().add {
      await PlaceProbe().places { await Self.placesOfClosure(fails: fails) }
    }
    #expect(try await body.value == [true, true, true, true, true])
    #expect(await Self.placesOfClosure(fails: fails) == [false, false, false])
  }
}

private enum ScopeValue {
  @TaskLocal static var number = 0
}
