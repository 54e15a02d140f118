import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Scopes in bodies")
  struct ScopesInBodies {
    @Test("A scope whose operations depend on the body that opened it throws, and cancels them", arguments: [0, 1, 3])
    func dependent(steps: Int) async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let own = Locked<(any OperationProtocol)?>(nil)
      let made = Locked<[any OperationProtocol]>([])
      let recorder = Recorder<String>()
      let suspended = AsyncOperationQueue(isSuspended: true)
      let outer = AsyncOperation {
        await #expect(throws: OperationError.waitWouldDeadlock) {
          try await withOperationQueue { scope in
            var previous = try #require(own.current)
            for _ in 0..<steps {
              let between = AsyncOperation {}
              try await between.addDependency(previous)
              await suspended.add(between)
              previous = between
            }
            let dependent = AsyncOperation { recorder.note("dependent") }
            try await dependent.addDependency(previous)
            await scope.add(dependent)
            await scope.add { recorder.note("free") }
            made.withLock { $0 = [dependent, previous] }
          }
        }
        return await queue.waitingCount
      }
      own.withLock { $0 = outer }
      await queue.add(outer)
      #expect(try await outer.value == 0)
      #expect(recorder.ended == ["free"])
      #expect(made.current.first?.storage.outcome?.isCancelled == true)
      own.withLock { $0 = nil }
      // What waits in a suspended queue holds it.
      await suspended.resume()
    }

    @Test(
      "An operation of the scope that awaits the body that opened it finds the loop, before the scope's end or after",
      arguments: [false, true])
    func awaiting(isBefore: Bool) async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let own = Locked<AsyncOperation<Int>?>(nil)
      let outer = AsyncOperation {
        try await withOperationQueue(maxConcurrentOperationCount: 1) { scope in
          let me = own.current
          let inner = AsyncOperation { try await me?.valueOrDeadlock() ?? 0 }
          if !isBefore { await scope.suspend() }
          await scope.add(inner)
          if isBefore { #expect(await scope.hasWaitingBodies(1)) }
          return inner
        }.value
      }
      own.withLock { $0 = outer }
      await queue.add(outer)
      #expect(try await outer.value == -1)
      own.withLock { $0 = nil }
    }

    @Test("So does one that awaits another which depends on that body")
    func awaitingDependent() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let dependent = AsyncOperation { 42 }
      let outer = AsyncOperation {
        try await withOperationQueue { scope in
          await scope.add { try await dependent.valueOrDeadlock() }
        }.value
      }
      try await dependent.addDependency(outer)
      await queue.add(outer, dependent)
      #expect(try await outer.value == -1)
      #expect(try await dependent.value == 42)
    }

    @Test("A closure that throws in a body cancels its scope, and its error comes out")
    func throwing() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let outer = await queue.add {
        await #expect(throws: Failure(code: 3)) {
          try await withOperationQueue { scope in
            await scope.add { await queue.addAndWait([AsyncOperation {}]) }
            throw Failure(code: 3)
          }
        }
        return await queue.waitingCount
      }
      #expect(try await outer.value == 0)
    }

    @Test("A body that is cancelled while it waits for the end of its scope cancels that")
    func cancelled() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let (begun, release) = (Gate(), Gate())
      let waiting = AsyncOperation { 1 }
      let outer = await queue.add {
        try await withOperationQueue(maxConcurrentOperationCount: 1) { scope in
          await scope.add {
            begun.open()
            await release.wait()
          }
          await scope.add(waiting)
        }
      }
      await begun.wait()
      #expect(await queue.hasWaitingBodies(1))
      outer.cancel()
      await waiting.waitUntilFinished()
      #expect(waiting.outcome?.isCancelled == true)
      release.open()
      await outer.waitUntilFinished()
      #expect(outer.outcome?.isCancelled == true)
    }

    @Test("Scopes in bodies of scopes end at limit 1, where their operations use the queues around them")
    func nested() async throws {
      let recorder = Recorder<Int>()
      try await withOperationQueue(maxConcurrentOperationCount: 1) { first in
        await first.add {
          try await withOperationQueue(maxConcurrentOperationCount: 1) { second in
            await second.add {
              try await withOperationQueue(maxConcurrentOperationCount: 1) { third in
                await third.add { try await first.run { recorder.note(1) } }
                await third.add { recorder.note(try await second.add { 2 }.value) }
                await third.addBarrier { await first.addAndWait([AsyncOperation { recorder.note(3) }]) }
              }
            }
          }
        }
      }
      // The first lends its slot to the second, and may be late; the barrier waits for both.
      #expect(Set(recorder.ended) == [1, 2, 3])
      #expect(recorder.ended.last == 3)
    }

    @Test("A wait in a scope in a scope for the operation around both ends, and cancels neither")
    func nestedWait() async throws {
      for isCancellable in [false, true] {
        let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
        let own = Locked<AsyncOperation<Void>?>(nil)
        let recorder = Recorder<String>()
        let outer = AsyncOperation<Void> {
          try await withOperationQueue { first in
            await first.add {
              try await withOperationQueue { second in
                await second.add {
                  if isCancellable {
                    await #expect(throws: OperationError.waitWouldDeadlock) { try await own.current?.value }
                  } else {
                    await queue.waitForCurrentOperations()
                  }
                  recorder.note(Task.isCancelled ? "cancelled" : "inner")
                }
                #expect(await second.hasWaitingBodies(1))
              }
              recorder.note("second")
            }
          }
          recorder.note("first")
        }
        own.withLock { $0 = outer }
        await queue.add(outer)
        try await outer.value
        #expect(recorder.ended == ["inner", "second", "first"])
        own.withLock { $0 = nil }
      }
    }

    @Test(
      "A body in a scope that waits for what is behind a barrier there finds the loop, before the scope's end or after")
    func behindBarrier() async throws {
      for isBefore in [false, true] {
        let outer = await AsyncOperationQueue().add {
          try await withOperationQueue { scope in
            let behind = AsyncOperation { 1 }
            let waiting = await scope.add {
              if !isBefore { #expect(await scope.isAwaitedByItsBody()) }
              return try await behind.valueOrDeadlock()
            }
            await scope.addBarrier {}
            await scope.add(behind)
            if isBefore { await waiting.waitUntilFinished() }
            return waiting
          }.value
        }
        #expect(try await outer.value == -1)
      }
    }

    @Test("In a closure of run() a scope releases the slot of the closure's operation")
    func inRun() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let value = try await queue.run {
        try await withOperationQueue { scope in await scope.add { try await queue.add { 42 }.value } }.value
      }
      #expect(value == 42)
      await queue.waitUntilAllOperationsAreFinished()
      #expect(await queue.waitingCount == 0)
    }

    @Test("Within the closure of a scope the body waits for its operations, and releases its slot, like anywhere")
    func waitsWithin() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let outer = await queue.add {
        try await withOperationQueue(maxConcurrentOperationCount: 1) { scope in
          let inner = await scope.add { try await queue.add { 20 }.value }
          let value = try await inner.value
          await scope.add { try await queue.run {} }
          await scope.waitUntilAllOperationsAreFinished()
          return value + (try await scope.run { try await queue.add { 1 }.value })
        }
      }
      #expect(try await outer.value == 21)
    }
  }
}
