import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationTests {
  @Suite("Memory")
  struct Memory {
    private struct Main: SynchronousOperationBody {
      let canary: Canary
      func main() { canary.sing() }
    }

    private struct Start: AsynchronousOperationBody {
      let canary: Canary
      func start() async { canary.sing() }
    }

    /// Operations of every kind, each with a body that holds a canary of its own.
    private static let kinds = ["main", "start", "callback", "blocks", "main()", "start()"] + kindsAfterOthers
    private static let kindsAfterOthers = ["after", "after array", "after callback", "after outcomes"]

    private func makeOperation(_ kind: String, gone: Gate) -> any OperationProtocol {
      let canary = Canary(gone)
      switch kind {
      case "main": return AsyncOperation { canary.sing() }
      case "start":
        return AsyncOperation {
          await Task.yield()
          canary.sing()
        }
      case "callback":
        return AsyncOperation<Void> { completion in
          canary.sing()
          completion.finish()
        }
      case "blocks": return AsyncOperation(ExecutionBlocks { canary.sing() })
      case "main()": return AsyncOperation(Main(canary: canary))
      case "start()": return AsyncOperation(Start(canary: canary))
      default:
        let dependency = AsyncOperation { 1 }
        switch kind {
        case "after": return AsyncOperation<Void>(after: dependency) { _ in canary.sing() }
        case "after array": return AsyncOperation<Void>(after: [dependency]) { _ in canary.sing() }
        case "after callback":
          return AsyncOperation<Void>(after: dependency) { _, completion in
            canary.sing()
            completion.finish()
          }
        default: return AsyncOperation<Void>(afterOutcomesOf: dependency) { _ in canary.sing() }
        }
      }
    }

    @Test("A body is freed when its operation has finished, though that is held", arguments: kinds)
    func body(kind: String) async throws {
      let gone = Gate()
      let operation = makeOperation(kind, gone: gone)
      for dependency in operation.dependencies { try await dependency.start() }
      #expect(!gone.isOpen)
      await AsyncOperationQueue().addAndWait([operation])
      #expect(operation.isFinished)
      await gone.wait()
    }

    @Test("A body that never runs is freed at the finish, too", arguments: kinds)
    func unrunBody(kind: String) async throws {
      let gone = Gate()
      let operation = makeOperation(kind, gone: gone)
      operation.cancel()
      #expect(!gone.isOpen)
      await AsyncOperationQueue().addAndWait([operation])
      await gone.wait()
      withExtendedLifetime(operation) {}
    }

    @Test("A body is freed with an operation that never finishes", arguments: kinds)
    func droppedBody(kind: String) async {
      let gone = Gate()
      func drop() { _ = makeOperation(kind, gone: gone) }
      drop()
      await gone.wait()
    }

    @Test("A finished operation is freed, though its queue goes on", arguments: kinds)
    func freed(kind: String) async {
      let queue = AsyncOperationQueue()
      let gone = Gate()
      func run() async -> Weak {
        let operation = makeOperation(kind, gone: gone)
        if Self.kindsAfterOthers.contains(kind) { operation.cancel() }
        await queue.addAndWait([operation])
        return Weak(operation)
      }
      let operation = await run()
      #expect(await eventually { operation.object == nil })
      #expect(queue.operationCount == 0)
    }

    @Test("An output goes with its operation, though the queue goes on with others", arguments: [false, true])
    func freedOutput(isChain: Bool) async throws {
      final class Output: Sendable {}
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, isSuspended: true)
      let (hasBegun, mayEnd) = (Gate(), Gate())
      let last = AsyncOperation {
        hasBegun.open()
        await mayEnd.wait()
      }
      func run() async throws -> Weak {
        let output = Output()
        // Of one kind, and so many that those behind them finish without a turn of the queue.
        func filler() -> AsyncOperation<Void> { AsyncOperation { () async in } }
        let others = (0..<6).map { _ in filler() }
        // The last one holds the one that it depends on.
        let operations: [any OperationProtocol] = others + [AsyncOperation { () async in output }, filler(), last]
        if isChain {
          for (one, next) in zip(operations, operations.dropFirst()) { try await next.addDependency(one) }
        }
        await queue.add(operations + (isChain ? [] : (0..<8).map { _ in filler() }))
        await queue.resume()
        await hasBegun.wait()
        return Weak(output)
      }
      let output = try await run()
      #expect(await eventually { output.object == nil })
      mayEnd.open()
      await last.waitUntilFinished()
    }

    @Test("An operation holds its dependencies until it has finished")
    func heldDependencies() async throws {
      let operation = AsyncOperation {}
      func depend() async throws -> Weak {
        let dependency = AsyncOperation {}
        try await operation.addDependency(dependency)
        return Weak(dependency)
      }
      let dependency = try await depend()
      #expect(dependency.object != nil)
      operation.cancel()
      try await operation.start()
      #expect(dependency.object == nil)
    }

    @Test("An operation does not hold its dependents, nor do they keep one another")
    func dependents() async throws {
      let dependency = AsyncOperation {}
      func depend() async throws -> Weak {
        let operation = AsyncOperation {}
        try await operation.addDependency(dependency)
        return Weak(operation)
      }
      let operation = try await depend()
      #expect(operation.object == nil)
      try await dependency.start()
    }

    @Test("Observers that stop, or were never read, cost an operation nothing that lasts")
    func observers() async throws {
      let operation = AsyncOperation {}
      let dependency = AsyncOperation {}
      for _ in 0..<10_000 { _ = operation.states }
      for _ in 0..<100 {
        for await _ in operation.states { break }
      }
      let history = operation.history()
      try await operation.addDependency(dependency)
      await operation.removeDependency(dependency)
      try await operation.start()
      #expect(await fault(in: history.value) == nil)
    }
  }
}
