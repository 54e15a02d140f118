import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationTests {
  @Suite("Fan-in of outcomes")
  struct FanInOfOutcomes {
    private static func word<Output>(_ outcome: OperationOutcome<Output>) -> String {
      switch outcome {
      case .success(let output): "\(output)"
      case .failure(let error): "\(error)"
      case .cancelled: "cancelled"
      }
    }

    @Test("The outcomes come in the order of the operations, whatever they are, to bodies of both kinds")
    func outcomes() async throws {
      let good = AsyncOperation { 1 }
      let bad = AsyncOperation<String> { throw Failure(code: 4) }
      let cancelled = AsyncOperation {}
      cancelled.cancel()
      let main = AsyncOperation(afterOutcomesOf: good, bad, cancelled, name: "main", queuePriority: .high) {
        [Self.word($0), Self.word($1), Self.word($2)]
      }
      let start = AsyncOperation(afterOutcomesOf: cancelled, good) { cancelled, good in
        await Task.yield()
        return [Self.word(cancelled), Self.word(good)]
      }
      #expect(!main.isAsynchronous && start.isAsynchronous)
      #expect(main.name == "main")
      #expect(main.queuePriority == .high)
      #expect(main.dependencies.elementsEqual([good, bad, cancelled] as [any OperationProtocol]) { $0 === $1 })
      await AsyncOperationQueue().add([start, main, cancelled, bad, good])
      #expect(try await main.value == ["1", "Failure(code: 4)", "cancelled"])
      #expect(try await start.value == ["cancelled", "1"])
    }

    @Test("It waits for all of them, also where one has failed")
    func waits() async throws {
      let bad = AsyncOperation { throw Failure() }
      let blocker = Blocker()
      let operation = AsyncOperation(afterOutcomesOf: bad, blocker.operation) { $1.isSuccess }
      await AsyncOperationQueue().add(operation, bad, blocker.operation)
      await bad.waitUntilFinished()
      #expect(operation.state == .pending)
      blocker.release.open()
      #expect(try await operation.value)
    }

    @Test("Operations of one type hand over an array of outcomes to bodies of both kinds")
    func arrays() async throws {
      let numbers = (0..<6).map { number in
        AsyncOperation {
          guard number.isMultiple(of: 2) else { throw Failure(code: number) }
          return number
        }
      }
      let main = AsyncOperation(afterOutcomesOf: numbers, name: "main") { $0.map(Self.word) }
      let start = AsyncOperation(afterOutcomesOf: [numbers[1], numbers[0], numbers[1]]) { outcomes in
        await Task.yield()
        return outcomes.map(Self.word)
      }
      let none = AsyncOperation(afterOutcomesOf: [AsyncOperation<Int>]()) { $0.count }
      #expect(!main.isAsynchronous && start.isAsynchronous)
      #expect(main.name == "main")
      #expect(none.isReady)
      await AsyncOperationQueue().add([main, start, none] + numbers)
      #expect(
        try await main.value == ["0", "Failure(code: 1)", "2", "Failure(code: 3)", "4", "Failure(code: 5)"])
      #expect(try await start.value == ["Failure(code: 1)", "0", "Failure(code: 1)"])
      #expect(try await none.value == 0)
    }

    @Test("The outcome of one that did not run for its own dependency names the root")
    func root() async throws {
      let root = AsyncOperation<Int> { throw Failure() }
      let middle = AsyncOperation(after: root) { $0 }
      let last = AsyncOperation(afterOutcomesOf: middle) { ($0.error as? OperationError)?.root?.operation }
      await AsyncOperationQueue().add(last, middle, root)
      #expect(try await last.value === root)
    }

    @Test("Its own cancellation keeps the body from running, without a wait for the others")
    func cancelled() async {
      let never = AsyncOperation { 1 }
      let operation = AsyncOperation<Void>(afterOutcomesOf: never) { _ in Issue.record("it ran") }
      await AsyncOperationQueue().add(operation)
      operation.cancel()
      await operation.waitUntilFinished()
      #expect(operation.outcome?.isCancelled == true)
    }

    // MARK: Operations that have gone

    @Test("The outcome of one that was freed after it finished is there all the same", arguments: [0, 1, 2])
    func freed(kind: Int) async throws {
      func make() async throws -> (AsyncOperation<String>, Weak) {
        let source = AsyncOperation {
          guard kind == 0 else { throw Failure(code: 2) }
          return 1
        }
        if kind == 2 { source.cancel() }
        let operation = AsyncOperation(afterOutcomesOf: source) { Self.word($0) }
        try await source.start()
        await operation.removeDependency(source)
        return (operation, Weak(source))
      }
      let (operation, source) = try await make()
      #expect(await eventually { source.object == nil })
      try await operation.start()
      #expect(try await operation.value == ["1", "Failure(code: 2)", "cancelled"][kind])
    }

    @Test("Where one was removed before it finished the operation is not ready for its body, freed or not")
    func removed() async throws {
      let held = AsyncOperation { 1 }
      func make() async -> [AsyncOperation<Void>] {
        var operations: [AsyncOperation<Void>] = []
        for source in [held, AsyncOperation { 2 }] {
          operations.append(AsyncOperation(afterOutcomesOf: source) { _ in Issue.record("it ran") })
          operations.append(AsyncOperation(afterOutcomesOf: [source]) { _ in Issue.record("it ran") })
          for operation in operations { await operation.removeDependency(source) }
        }
        return operations
      }
      for operation in await make() {
        try await operation.start()
        #expect(operation.error as? OperationError == .notReady)
      }
    }
  }
}
