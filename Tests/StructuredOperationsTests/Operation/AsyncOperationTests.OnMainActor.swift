import Dispatch
import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationTests {
  @Suite("On the main actor")
  struct OnMainActor {
    @MainActor
    private final class Model {
      var lines: [String] = []
    }

    private static func isMain() -> Bool { AsyncOperationQueueTests.Main.isMain() }

    /// From a function that is not asynchronous the synchronous form is chosen.
    private func addSynchronously(to queue: AsyncOperationQueue) -> AsyncOperation<Bool> {
      queue.addOnMainActor(name: "added", queuePriority: .high) { Self.isMain() }
    }

    @Test("Made, added and started by hand the closure runs on the main actor, also after it has suspended")
    func isolation() async throws {
      let queue = AsyncOperationQueue()
      let made = AsyncOperation.onMainActor { Self.isMain() }
      let started = AsyncOperation.onMainActor {
        let before = Self.isMain()
        await Task.yield()
        MainActor.preconditionIsolated()
        return before && Self.isMain()
      }
      await queue.add(made)
      try await started.start()
      #expect(try await made.value)
      #expect(try await started.value)
      #expect(try await addSynchronously(to: queue).value)
      #expect(try await queue.addOnMainActor { Self.isMain() }.value)
    }

    @Test("The parameters go to the operation, which is asynchronous and tells where it was made")
    func parameters() async {
      let queue = AsyncOperationQueue(isSuspended: true)
      let made = AsyncOperation.onMainActor(name: "made", queuePriority: .high, taskPriority: .low) {}
      let added = await queue.addOnMainActor(name: "added", queuePriority: .high, taskPriority: .low) {}
      let unnamed: [(any OperationProtocol, line: UInt)] = [
        (AsyncOperation.onMainActor {}, #line), (await queue.addOnMainActor {}, #line),
      ]
      #expect([made, added].map(\.name) == ["made", "added"])
      #expect([made, added].allSatisfy { $0.queuePriority == .high && $0.isAsynchronous })
      #expect([made, added].allSatisfy { $0.storage.taskPriority == TaskPriority.low.rawValue })
      #expect(addSynchronously(to: queue).queuePriority == .high)
      for (operation, line) in unnamed {
        #expect(operation.description.hasPrefix("AsyncOperation at \(#fileID):\(line) "))
      }
      await queue.cancelAllOperations()
      await queue.resume()
    }

    @Test("The closure reaches what belongs to the main actor without await")
    func state() async throws {
      let model = Model()
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      for number in 0..<10 { await queue.addOnMainActor { model.lines.append("\(number)") } }
      await queue.waitUntilAllOperationsAreFinished()
      #expect(await model.lines == (0..<10).map(String.init))
    }

    @Test("It holds a slot of its queue while it suspends, and leaves the main actor to others")
    @MainActor
    func slot() async throws {
      let (begun, mayEnd) = (Gate(), Gate())
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let operation = await queue.addOnMainActor {
        begun.open()
        await mayEnd.wait()
      }
      let next = await queue.add { mayEnd.isOpen }
      await begun.wait()
      #expect(next.state == .ready)
      mayEnd.open()
      #expect(try await next.value)
      #expect(operation.isFinished)
    }

    @Test("What it awaits does not run on the main actor")
    func awaited() async throws {
      @concurrent func work() async -> Bool { Self.isMain() }
      #expect(try await AsyncOperationQueue().addOnMainActor { await work() }.value == false)
    }

    @Test("Under an executor of the queue it is on the main actor, and what it awaits under that executor")
    func underExecutor() async throws {
      @concurrent func label() async -> String? { LabelledExecutor.currentLabel }
      let queue = AsyncOperationQueue(executor: LabelledExecutor("queue"))
      let operation = await queue.addOnMainActor { (Self.isMain(), await label()) }
      #expect(try await operation.value == (true, "queue"))
    }

    @Test("It is the current operation, of the current queue, and a wait in it lends the slot")
    func current() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let operation = await queue.addOnMainActor {
        // By identity: an operation whose output holds it is never freed.
        let current = AsyncOperation.current.map { ObjectIdentifier($0) }
        let inner = await queue.add { 42 }
        return (current, AsyncOperationQueue.current === queue, try await inner.value)
      }
      let (current, isCurrentQueue, number) = try await operation.value
      #expect(current == operation.id)
      #expect(isCurrentQueue)
      #expect(number == 42)
    }

    @Test("What it throws is its outcome; cancelled before it begins it does not run")
    func outcomes() async {
      let queue = AsyncOperationQueue(isSuspended: true)
      let failing = await queue.addOnMainActor { throw Failure(code: 1) }
      let cancelled = await queue.addOnMainActor { Issue.record("it ran") }
      cancelled.cancel()
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(failing.outcome?.error as? Failure == Failure(code: 1))
      #expect(cancelled.outcome?.isCancelled == true)
    }

    @Test("A closed queue refuses it")
    func closed() async throws {
      let queue = try await withOperationQueue { $0 }
      #expect(await queue.addOnMainActor {}.error as? OperationError == .queueClosed)
      #expect(addSynchronously(to: queue).error as? OperationError == .queueClosed)
    }
  }
}
