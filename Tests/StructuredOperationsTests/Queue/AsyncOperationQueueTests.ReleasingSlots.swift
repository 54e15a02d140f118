import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Releasing slots")
  struct ReleasingSlots {
    /// The ways in which a body's own task waits.
    enum Form: CaseIterable, Sendable {
      case value, finish, all, addAndWait, run, runElsewhere, start, scope

      /// Waits for a closure that has to run in the queue.
      func wait(for body: @escaping @Sendable () async -> Void, in queue: AsyncOperationQueue) async throws {
        let inner = AsyncOperation(start: body)
        switch self {
        case .value:
          await queue.add(inner)
          try await inner.value
        case .finish:
          await queue.add(inner)
          await inner.waitUntilFinished()
        case .all:
          await queue.add(inner)
          await queue.waitUntilAllOperationsAreFinished()
        case .addAndWait: await queue.addAndWait([inner, AsyncOperation {}])
        case .run: try await queue.run(body)
        case .runElsewhere: try await AsyncOperationQueue().run { await queue.addAndWait([inner]) }
        case .start: try await AsyncOperation { await queue.addAndWait([inner]) }.start()
        case .scope: try await withOperationQueue { $0.add { await queue.addAndWait([inner]) } }
        }
      }
    }

    @Test(
      "A body releases its slot for as long as its own task waits, in whichever way, and counts as executing",
      arguments: Form.allCases)
    func forms(form: Form) async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let (begun, release) = (Gate(), Gate())
      let outer = await queue.add {
        try await form.wait(
          for: {
            begun.open(); await release.wait()
          }, in: queue)
        return await queue.waitingCount
      }

      await begun.wait()

      #expect(await queue.waitingCount == 1)
      #expect(queue.snapshot.executingCount == 2)
      #expect(outer.isExecuting)
      release.open()
      #expect(try await outer.value == 0)
      await queue.waitUntilAllOperationsAreFinished()
      #expect(await queue.state.releasedSlots.isEmpty)
    }

    @Test("What is over already is not waited for, and no slot is released")
    func over() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, isSuspended: true)
      let recorder = Recorder<String>()
      let finished = AsyncOperation { 1 }
      try await finished.start()
      await queue.add {
        recorder.begin("outer")
        for _ in 0..<20 {
          _ = try await finished.value
          await finished.waitUntilFinished()
          await queue.addAndWait([finished])
          try await finished.start()
          await AsyncOperationQueue().waitUntilAllOperationsAreFinished()
        }
        recorder.end("outer")
      }
      await queue.add { recorder.note("other") }
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.begun.first == "outer")
      #expect(recorder.begun.count == 2)
    }

    @Test("A body may wait as often as it likes, and holds its slot between its waits")
    func inARow() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let recorder = Recorder<Int>()
      let outer = (0..<4).map { number in
        AsyncOperation {
          for step in 0..<50 {
            let id = 100 * number + step
            recorder.begin(id)
            await Task.yield()
            recorder.end(id)
            let inner = AsyncOperation {
              recorder.begin(-id - 1)
              await Task.yield()
              recorder.end(-id - 1)
            }
            if step.isMultiple(of: 2) {
              await queue.addAndWait([inner])
            } else {
              await queue.add(inner)
              try await inner.value
            }
          }
        }
      }
      await queue.addAndWait(outer)
      #expect(outer.allSatisfy { $0.outcome?.isSuccess == true })
      #expect(recorder.ended.count == 400)
      #expect(recorder.peak == 1)
    }

    @Test("Closures of run() in closures of run() work at limit 1, and each knows its operation")
    func nestedRun() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let names = try await queue.run(name: "1") {
        let inner = try await queue.run(name: "2") {
          let innermost = try await queue.run(name: "3") {
            #expect(await queue.waitingCount == 2)
            return AsyncOperation.current?.name
          }
          return [innermost, AsyncOperation.current?.name]
        }
        #expect(await queue.waitingCount == 0)
        return inner + [AsyncOperation.current?.name]
      }
      #expect(names == ["3", "2", "1"])
      await queue.waitUntilAllOperationsAreFinished()
      #expect(queue.snapshot.completedCount == 3)
    }

    @Test("Errors of a closure of run() come out in a body, and the slot is reacquired")
    func throwingRun() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let outer = await queue.add {
        do {
          try await queue.run { () -> Void in throw Failure(code: 1) }
        } catch {
          #expect(error as? Failure == Failure(code: 1))
        }
        return await queue.waitingCount
      }
      #expect(try await outer.value == 0)
    }

    @Test("A body that is cancelled while its closure of run() waits gets a CancellationError, and its slot")
    func cancelledRun() async throws {
      let (queue, other) = (AsyncOperationQueue(maxConcurrentOperationCount: 1), AsyncOperationQueue(isSuspended: true))
      let outer = await queue.add {
        await #expect(throws: CancellationError.self) { try await other.run { () -> Void in Issue.record("it ran") } }
        return await queue.waitingCount
      }
      #expect(await queue.hasWaitingBodies(1))
      outer.cancel()
      #expect(try await outer.value == 0)
      #expect(other.operationCount == 0)
    }

    @Test("Tasks that a body starts, and its child tasks, do not release its slot", arguments: 0..<4)
    func otherTasks(kind: Int) async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let blocker = Blocker()
      await AsyncOperationQueue().add(blocker.operation)
      let recorder = Recorder<String>()
      await queue.add {
        recorder.begin("outer")
        let waiting = blocker.operation
        switch kind {
        case 0:
          async let end: Void = waiting.waitUntilFinished()
          await end
        case 1:
          await withTaskGroup { group in
            for _ in 0..<3 { group.addTask { await waiting.waitUntilFinished() } }
          }
        case 2: await Task { await waiting.waitUntilFinished() }.value
        default: await Task.detached { await waiting.waitUntilFinished() }.value
        }
        recorder.end("outer")
      }
      await queue.add { recorder.note("other") }
      await blocker.begun.wait()
      #expect(await eventually { blocker.operation.storage.read { !$0.connections.value.waiters.isEmpty } })
      for _ in 0..<20 { await Task.yield() }
      #expect(await queue.waitingCount == 0)
      #expect(recorder.begun == ["outer"])
      blocker.release.open()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == ["outer", "other"])
    }

    @Test("A task of a body may wait for one that waits for the body: that is no loop")
    func taskOfBody() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let go = Gate()
      let started = Locked<Task<Int, any Error>?>(nil)
      let second = Locked<AsyncOperation<Int>?>(nil)
      let first = AsyncOperation {
        let other = second.current
        started.withLock { $0 = Task { try await other?.value ?? 0 } }
        await go.wait()
        return 20
      }
      second.withLock { $0 = AsyncOperation { try await first.value + 1 } }
      await queue.add(first)
      let waiting = try #require(second.current)
      await AsyncOperationQueue().add(waiting)
      #expect(await eventually { !waiting.storage.read { $0.connections.value.waiters.isEmpty } })
      go.open()
      #expect(try await started.current?.value == 21)
    }

    @Test("A body resumes where it was: under its own executor, or under its queue's", arguments: [false, true])
    func executor(isOfQueue: Bool) async throws {
      let executor = LabelledExecutor("mine")
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, executor: isOfQueue ? executor : nil)
      let outer = AsyncOperation(executor: isOfQueue ? nil : executor) {
        let inner = await queue.add { 1 }
        _ = try await inner.value
        let first = LabelledExecutor.currentLabel
        _ = try await queue.run { 1 }
        return [first, LabelledExecutor.currentLabel]
      }
      await queue.add(outer)
      #expect(try await outer.value == ["mine", "mine"])
    }

    @Test("The block of a barrier releases its slot, and nothing behind it starts meanwhile")
    func barrier() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let other = AsyncOperationQueue()
      let blocker = Blocker()
      let recorder = Recorder<String>()
      await queue.addBarrier {
        await other.addAndWait([blocker.operation])
        recorder.note("barrier")
      }
      await queue.add { recorder.note("behind") }
      await blocker.begun.wait()
      #expect(await queue.becomesQuiescent(waiting: 1))
      #expect(recorder.begun.isEmpty)
      blocker.release.open()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == ["barrier", "behind"])
    }

    @Test("Bodies that wait do not keep a queue's runner from what is added later")
    func addedWhileWaiting() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let inner = AsyncOperation { 1 }
      let outer = await queue.add { try await inner.value }
      #expect(await queue.becomesQuiescent(waiting: 1))
      #expect(try await queue.add { 2 }.value == 2)
      try await inner.start()
      #expect(try await outer.value == 1)
    }

    @Test(
      "A graph of calls within one queue, three deep and three wide, ends at every limit", arguments: [1, 2, 3, 64])
    func recursion(limit: Int) async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: limit)
      #expect(try await Self.count(4, in: queue) == 121)
      await queue.waitUntilAllOperationsAreFinished()
      #expect(queue.snapshot.completedCount == 241)
    }

    private static func count(_ depth: Int, in queue: AsyncOperationQueue) async throws -> Int {
      try await queue.add {
        if depth == 0 { return 1 }
        let children = (0..<3).map { _ in AsyncOperation { try await count(depth - 1, in: queue) } }
        var sum = 1
        for child in children {
          await queue.add(child)
          sum += try await child.value
        }
        return sum
      }.value
    }
  }
}
