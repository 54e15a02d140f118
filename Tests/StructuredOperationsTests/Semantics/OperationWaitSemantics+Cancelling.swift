import Testing
import TestSupport

@testable import StructuredOperations

extension OperationWaitSemantics {
  @Suite("WT-06 Cancelled waits", .timeLimit(.minutes(15)), .hangGuard)
  struct Cancelling {
    /// Suspends until so many tasks wait for an operation, which nothing tells.
    private func waiters(of operation: any OperationProtocol, reach count: Int) async {
      let isReached = await eventually {
        operation.storage.read { $0.connections.read(\.waiters.count) ?? 0 } == count
      }
      #expect(isReached)
    }

    private func waitingCount(of queue: AsyncOperationQueue, reaches count: Int) async {
      for await snapshot in queue.states where snapshot.waitingCount == count { break }
    }

    @Test("WT-06 A cancelled task stops waiting for a value, the others go on, and the operation is left alone")
    func plain() async throws {
      let operation = AsyncOperation { 42 }
      let waiters = (0..<5).map { _ in Task { try await operation.value } }
      await self.waiters(of: operation, reach: 5)

      waiters[2].cancel()

      await #expect(throws: CancellationError.self) { try await waiters[2].value }
      await self.waiters(of: operation, reach: 4)
      #expect(operation.snapshot == OperationSnapshot(state: .ready, isCancelled: false))
      try await operation.start()
      for waiter in waiters where waiter != waiters[2] { #expect(try await waiter.value == 42) }
    }

    @Test("WT-06 A task that is cancelled already gets the outcome of a finished operation, and waits for no other")
    func cancelledBefore() async throws {
      let (finished, unfinished) = (AsyncOperation { 42 }, AsyncOperation { 42 })
      try await finished.start()
      let asked = Gate()
      let task = Task {
        await asked.wait()
        #expect(try await finished.value == 42)
        return try await unfinished.value
      }
      task.cancel()
      asked.open()

      await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("WT-06 A cancelled task gets the outcome of an operation whose observers are being told of its end, too")
    func cancelledAtTheEnd() async throws {
      let known = Locked<AsyncOperation<Int>?>(nil)
      let value = OneShot<Int?>()
      let recorder = EventRecorder { event in
        guard event.kind == .finished, let operation = known.current else { return }
        // Runs here until it waits.
        Task(executorPreference: InlineExecutor()) {
          withUnsafeCurrentTask { $0?.cancel() }
          value.fulfil(with: try? await operation.value)
        }
      }
      let operation = AsyncOperation(observer: recorder) { 42 }
      known.withLock { $0 = operation }

      try await operation.start()

      #expect(await value.value == 42)
      known.withLock { $0 = nil }
    }

    @Test("WT-06 A task that is cancelled just before it would wait for a value does not wait")
    func cancelledJustBefore() async throws {
      guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else { return }
      let (started, canWait, canEnd) = (Gate(), Gate(), Gate())
      let waiter = Locked<Task<Void, any Error>?>(nil)
      let operation = AsyncOperation { () async in
        await withTaskPriorityEscalationHandler {
          started.open()
          await canEnd.wait()
        } onPriorityEscalated: { _, _ in
          // The task that waits raises the priority just before, and calls this itself.
          waiter.current?.cancel()
        }
      }
      await AsyncOperationQueue().add(operation)
      await started.wait()
      let task = Task(priority: .high) {
        await canWait.wait()
        try await operation.value
      }
      waiter.withLock { $0 = task }
      canWait.open()

      await #expect(throws: CancellationError.self) { try await task.value }

      #expect(operation.isExecuting)
      canEnd.open()
      try await operation.value
    }

    @Test("WT-06 waitUntilFinished() goes on waiting in a cancelled task")
    func waitUntilFinished() async throws {
      let operation = AsyncOperation {}
      let task = Task {
        await operation.waitUntilFinished()
        return operation.isFinished
      }
      task.cancel()
      await waiters(of: operation, reach: 1)
      try await operation.start()
      #expect(await task.value)
    }

    @Test("WT-06 A cancelled body has its slot again before its wait ends, ahead of what has not begun")
    func slot() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let log = Locked<[String]>([])
      let (inner, gate) = (AsyncOperation {}, Gate())
      let outer = await queue.add {
        await #expect(throws: CancellationError.self) { try await inner.value }
        log.append("outer")
      }
      let holder = await queue.add {
        await gate.wait()
        log.append("holder")
      }
      await waitingCount(of: queue, reaches: 1)
      await holder.reaches(.executing)
      let late = await queue.add(queuePriority: .veryHigh) { log.append("late") }

      outer.cancel()
      // The task may not have come back from lending its slot, and hear of the cancellation a little later.
      #expect(await eventually { await !queue.state.scheduler.slotRequests.isEmpty })
      gate.open()

      for operation in [outer, holder, late] { await operation.waitUntilFinished() }
      #expect(log.current == ["holder", "outer", "late"])
      #expect(inner.snapshot == OperationSnapshot(state: .ready, isCancelled: false))
      #expect(inner.storage.read { $0.waitingBodies.isEmpty })
    }

    @Test("WT-06 A body that is cancelled already lends no slot, and is told of that before of a loop")
    func cancelledBodyBefore() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let hasPassed = Locked(false)
      let inner = AsyncOperation {}
      let (gate, isAsking) = (Gate(), Gate())
      let outer = await queue.add {
        isAsking.open()
        await gate.wait()
        await #expect(throws: CancellationError.self) { try await inner.value }
        let itself = AsyncOperation<Never>.current as? AsyncOperation<Void>
        await #expect(throws: CancellationError.self) { try await itself?.value }
        #expect(!hasPassed.current)
      }
      await queue.add { hasPassed.withLock { $0 = true } }
      await isAsking.wait()

      outer.cancel()
      gate.open()

      await queue.waitUntilAllOperationsAreFinished()
      #expect(hasPassed.current)
    }

    @Test("WT-06 After a cancelled wait a body may wait anew")
    func again() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let inner = AsyncOperation { 42 }
      let outer = await queue.add {
        _ = try? await inner.value
        await queue.add(inner)
        await inner.waitUntilFinished()
        return try await inner.value
      }
      await waitingCount(of: queue, reaches: 1)
      outer.cancel()
      #expect(try await outer.value == 42)
    }

    @Test("WT-06 A cancellation that meets the finish gives the value or CancellationError", arguments: [false, true])
    func race(isInBody: Bool) async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      for _ in 0..<300 {
        let inner = AsyncOperation { 42 }
        let result: Result<Int, any Error>
        if isInBody {
          let outer = await queue.add { await Task { 0 }.value + (try await inner.value) }
          await queue.add(inner)
          outer.cancel()
          await outer.waitUntilFinished()
          result = Result { if let error = outer.error { throw error } else { 42 } }
        } else {
          let waiter = Task { try await inner.value }
          async let adding = queue.add(inner)
          waiter.cancel()
          _ = await adding
          result = await waiter.result
        }
        switch result {
        case .success(let value): #expect(value == 42)
        case .failure(let error): #expect(error is CancellationError)
        }
        #expect(try await inner.value == 42)
      }
    }
  }
}
