import Testing

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
    private static let kinds = ["main", "start", "callback", "blocks", "main()", "start()", "after"]

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
        return AsyncOperation<Void>(after: dependency) { _ in canary.sing() }
      }
    }

    @Test("A body is freed when its operation has finished, though that is held", arguments: kinds)
    func body(kind: String) async throws {
      let gone = Gate()
      let operation = makeOperation(kind, gone: gone)
      for dependency in await operation.dependencies { try await dependency.start() }
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
        if kind == "after" { operation.cancel() }
        await queue.addAndWait([operation])
        return Weak(operation)
      }
      let operation = await run()
      #expect(await eventually { operation.object == nil })
      #expect(await queue.operationCount == 0)
    }

    @Test("DP-15, DP-16 A finished operation lists those of its dependencies that somebody else holds, and holds none")
    func pastDependencies() async throws {
      let operation = AsyncOperation {}
      let held = AsyncOperation(name: "held") {}
      func depend() async throws -> Weak {
        let dropped = AsyncOperation(name: "dropped") {}
        try await operation.addDependencies(held, dropped)
        await AsyncOperationQueue().addAndWait([held, dropped, operation])
        #expect(await operation.dependencies.map(\.name) == ["held", "dropped"])
        return Weak(dropped)
      }
      let dropped = try await depend()
      #expect(await eventually { dropped.object == nil })
      #expect(await operation.dependencies.map(\.name) == ["held"])
      await operation.removeDependency(held)
      #expect(await operation.dependencies.isEmpty)
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

    @Test("DP-16 A chain of 100 000 operations that never ran is freed without recursion")
    func plainChain() async throws {
      func make() async throws -> (first: Weak, last: Weak) {
        let first = AsyncOperation {}
        var last = first
        for _ in 1..<100_000 {
          let next = AsyncOperation {}
          try await next.addDependency(last)
          last = next
        }
        return (Weak(first), Weak(last))
      }
      let (first, last) = try await make()
      #expect(last.object == nil)
      #expect(first.object == nil)
    }

    @Test("DP-16 So is a chain of 100 000 operations that get each other's outputs")
    func fanInChain() async {
      func make() -> (first: Weak, last: Weak) {
        let first = AsyncOperation { 0 }
        var last = first
        for _ in 1..<100_000 { last = AsyncOperation(after: last) { $0 + 1 } }
        return (Weak(first), Weak(last))
      }
      let (first, last) = make()
      #expect(last.object == nil)
      #expect(first.object == nil)
    }

    @Test(
      "DP-16 A chain of 20 000 operations runs, fails, or is cancelled from its head without recursion",
      arguments: 0..<3)
    func runningChain(ending: Int) async throws {
      func run() async throws -> Weak {
        let first = AsyncOperation<Int> {
          if ending == 1 { throw Failure() }
          return 0
        }
        var chain = [first]
        for _ in 1..<20_000 { chain.append(AsyncOperation(after: chain[chain.count - 1]) { $0 + 1 }) }
        if ending == 2 { first.cancel() }
        let last = chain[chain.count - 1]
        await AsyncOperationQueue().add(chain.reversed())
        await last.waitUntilFinished()
        if ending == 0 { #expect(try await last.value == 19_999) }
        if ending > 0 { #expect((last.outcome?.error as? OperationError)?.root?.operation === first) }
        return Weak(first)
      }
      let first = try await run()
      #expect(await eventually { first.object == nil })
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
