import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationTests {
  @Suite("Fan-in")
  struct FanIn {
    @Test("The outputs come as values, in the order of the operations, to bodies of both kinds")
    func outputs() async throws {
      let number = AsyncOperation { 1 }
      let text = AsyncOperation {
        await Task.yield()
        return "a"
      }
      let flag = AsyncOperation<Bool> { $0.finish(returning: true) }
      let main = AsyncOperation(after: number, text, flag) { "\($0)\($1)\($2)" }
      let start = AsyncOperation(after: flag, number) { flag, number in
        await Task.yield()
        return flag ? number : 0
      }
      #expect(!main.isAsynchronous)
      #expect(start.isAsynchronous)
      await AsyncOperationQueue().add([start, main, flag, text, number])
      #expect(try await main.value == "1atrue")
      #expect(try await start.value == 1)
    }

    @Test("It depends on them, in their order")
    func dependencies() async {
      let operations = (0..<3).map { number in AsyncOperation(name: "\(number)") { number } }
      let sum = AsyncOperation(after: operations[2], operations[0], operations[1]) { $0 + $1 + $2 }
      #expect(sum.state == .pending)
      #expect(sum.dependencies.map(\.name) == ["2", "0", "1"])
    }

    @Test("The same operation may be given twice")
    func twice() async throws {
      let number = AsyncOperation { 2 }
      let sum = AsyncOperation(after: number, number) { $0 + $1 }
      await AsyncOperationQueue().add(sum, number)
      #expect(try await sum.value == 4)
    }

    @Test("One that has finished already gives its output")
    func finishedBefore() async throws {
      let number = AsyncOperation { 2 }
      try await number.start()
      let double = AsyncOperation(after: number) { $0 * 2 }
      #expect(double.isReady)
      try await double.start()
      #expect(try await double.value == 4)
    }

    @Test("Where one fails the body does not run, and the error names it")
    func failure() async throws {
      let good = AsyncOperation { 1 }
      let bad = AsyncOperation<Int> { throw Failure(code: 4) }
      let sum = AsyncOperation(after: good, bad) { (_: Int, _: Int) -> Int in
        Issue.record("it ran")
        return 0
      }
      let last = AsyncOperation(after: sum) { $0 }
      await AsyncOperationQueue().addAndWait([last, sum, bad, good])
      for operation in [sum, last] {
        let error = operation.outcome?.error as? OperationError
        #expect(error?.root?.operation === bad)
        #expect(error?.root?.underlying as? Failure == Failure(code: 4))
      }
    }

    @Test("Where one was removed before it finished, the operation is not ready for its body")
    func removed() async throws {
      let number = AsyncOperation { 1 }
      let main = AsyncOperation<Void>(after: number) { _ in Issue.record("it ran") }
      let start = AsyncOperation<Void>(after: number) { _ in
        await Task.yield()
        Issue.record("it ran")
      }
      for operation in [main, start] {
        await operation.removeDependency(number)
        try await operation.start()
        #expect(operation.outcome?.error as? OperationError == .notReady)
      }
    }

    @Test("So it is where the one that was removed has finished since, unless it is a dependency again")
    func removedAndFinished() async throws {
      let (number, other) = (AsyncOperation { 1 }, AsyncOperation {})
      let output = AsyncOperation<Void>(after: number, other) { _, _ in Issue.record("it ran") }
      let outcome = AsyncOperation<Void>(afterOutcomesOf: number) { _ in Issue.record("it ran") }
      let array = AsyncOperation<Void>(after: [number]) { _ in Issue.record("it ran") }
      let void = AsyncOperation<Void>(after: other) { Issue.record("it ran") }
      let (again, plain) = (AsyncOperation(after: number) { $0 }, AsyncOperation(after: number) { $0 })
      try await plain.addDependency(other)
      for operation in [output, outcome, array] as [any OperationProtocol] + [again] {
        await operation.removeDependency(number)
      }
      await void.removeDependency(other)
      await plain.removeDependency(other)
      try await again.addDependency(number)
      try await number.start()
      try await other.start()
      for operation in [output, outcome, array, void] {
        try await operation.start()
        #expect(operation.error as? OperationError == .notReady)
      }
      for operation in [again, plain] {
        try await operation.start()
        #expect(try await operation.value == 1)
      }
    }

    @Test("Where one was removed after it had finished, its output is there all the same")
    func removedLate() async throws {
      let number = AsyncOperation { 1 }
      let double = AsyncOperation(after: number) { $0 * 2 }
      try await number.start()
      await double.removeDependency(number)
      try await double.start()
      #expect(try await double.value == 2)
    }

    @Test("The body's own error and cancellation are the operation's")
    func ownError() async throws {
      let number = AsyncOperation { 1 }
      let failing = AsyncOperation(after: number) { (number: Int) in throw Failure(code: number) }
      await AsyncOperationQueue().addAndWait([number, failing])
      #expect(failing.outcome?.error as? Failure == Failure(code: 1))
    }

    // MARK: After an operation without an output

    @Test("After an operation without an output a closure of either kind may take no parameter")
    func void() async throws {
      let ran = Locked(false)
      let setUp = AsyncOperation { ran.withLock { $0 = true } }
      let main = AsyncOperation(after: setUp, name: "main", queuePriority: .high) { ran.current }
      let start = AsyncOperation(after: setUp) {
        await Task.yield()
        return ran.current
      }
      #expect(main.state == .pending && start.state == .pending)
      #expect(!main.isAsynchronous && start.isAsynchronous)
      #expect(main.name == "main")
      #expect(main.queuePriority == .high)
      await AsyncOperationQueue().add(main, start, setUp)
      #expect(try await main.value)
      #expect(try await start.value)
    }

    @Test("Where the operation without an output fails, or is removed before it finished, the closure does not run")
    func voidWithoutSuccess() async throws {
      let bad = AsyncOperation { throw Failure(code: 1) }
      let unfinished = AsyncOperation {}
      let failed = AsyncOperation<Void>(after: bad) { Issue.record("it ran") }
      let removed = AsyncOperation<Void>(after: unfinished) { Issue.record("it ran") }
      await removed.removeDependency(unfinished)
      await AsyncOperationQueue().addAndWait([failed, bad, removed])
      #expect((failed.error as? OperationError)?.root?.operation === bad)
      #expect(removed.error as? OperationError == .notReady)
    }

    // MARK: Arrays

    @Test("Operations of one type hand over an array, in their order, to bodies of both kinds")
    func arrays() async throws {
      let numbers = (0..<100).map { number in AsyncOperation { number } }
      let main = AsyncOperation(after: numbers, name: "main", queuePriority: .low) { $0 }
      let start = AsyncOperation(after: numbers) { numbers in
        await Task.yield()
        return numbers
      }
      #expect(!main.isAsynchronous && start.isAsynchronous)
      #expect(main.name == "main")
      #expect(main.queuePriority == .low)
      #expect(main.dependencies.elementsEqual(numbers) { $0 === $1 })
      await AsyncOperationQueue().add([main, start] + numbers.reversed())
      #expect(try await main.value == Array(0..<100))
      #expect(try await start.value == Array(0..<100))
    }

    @Test("An empty array waits for nothing and hands over an empty one")
    func emptyArray() async throws {
      let count = AsyncOperation(after: [AsyncOperation<Int>]()) { $0.count }
      #expect(count.isReady)
      try await count.start()
      #expect(try await count.value == 0)
    }

    @Test("One that stands twice in an array is one dependency, and hands its output over twice")
    func arrayWithDuplicates() async throws {
      let (one, two) = (AsyncOperation { 1 }, AsyncOperation { 2 })
      let numbers = AsyncOperation(after: [one, two, one]) { $0 }
      #expect(numbers.dependencies.count == 2)
      await AsyncOperationQueue().add(numbers, two, one)
      #expect(try await numbers.value == [1, 2, 1])
    }

    @Test("One failure in an array is enough; one that was removed before it finished is not ready for the body")
    func arrayWithoutSuccess() async throws {
      let (never, bad) = (AsyncOperation { 1 }, AsyncOperation<Int> { throw Failure(code: 1) })
      let failed = AsyncOperation<Void>(after: [never, bad]) { _ in Issue.record("it ran") }
      let removed = AsyncOperation<Void>(after: [never]) { _ in Issue.record("it ran") }
      await removed.removeDependency(never)
      await AsyncOperationQueue().addAndWait([bad, failed, removed])
      #expect((failed.error as? OperationError)?.root?.operation === bad)
      #expect(removed.error as? OperationError == .notReady)
      #expect(!never.isFinished)
    }

    // MARK: Callbacks

    @Test("A callback body gets the output and its completion")
    func callback() async throws {
      let number = AsyncOperation { 1 }
      let text = AsyncOperation<String>(
        after: number, name: "text", queuePriority: .high,
        callback: { number, completion in Task { completion.finish(returning: "\(number)") } })
      let dropped = AsyncOperation<Void>(after: number, callback: { _, _ in })
      #expect(text.isAsynchronous)
      #expect(text.name == "text")
      #expect(text.queuePriority == .high)
      await AsyncOperationQueue().addAndWait([dropped, text, number])
      #expect(try await text.value == "1")
      #expect(dropped.error as? OperationError == .abandoned)
    }

    @Test("A callback body hears of the cancellation of its operation")
    func cancelledCallback() async {
      let begun = Gate()
      let kept = Locked<OperationCompletion<Void>?>(nil)
      let number = AsyncOperation { 1 }
      let operation = AsyncOperation<Void>(after: number) { _, completion in
        kept.withLock { $0 = completion }
        completion.onCancel { $0.finish(throwing: CancellationError()) }
        begun.open()
      }
      await AsyncOperationQueue().add(number, operation)
      await begun.wait()
      operation.cancel()
      await operation.waitUntilFinished()
      #expect(operation.outcome?.isCancelled == true)
    }

    @Test("A callback body is not called where the operation failed, or was removed before it finished")
    func callbackWithoutSuccess() async throws {
      let (never, bad) = (AsyncOperation { 1 }, AsyncOperation<Int> { throw Failure(code: 1) })
      let failed = AsyncOperation<Void>(after: bad) { _, _ in Issue.record("it ran") }
      let removed = AsyncOperation<Void>(after: never) { _, _ in Issue.record("it ran") }
      await removed.removeDependency(never)
      await AsyncOperationQueue().addAndWait([bad, failed, removed])
      #expect((failed.error as? OperationError)?.root?.operation === bad)
      #expect(removed.error as? OperationError == .notReady)
    }

    // MARK: Descriptions

    @Test("Each form tells where it was called")
    func site() async {
      let number = AsyncOperation { 1 }
      let nothing = AsyncOperation {}
      let queue = AsyncOperationQueue(isSuspended: true)
      let made: [(any OperationProtocol, line: UInt)] = [
        (AsyncOperation(after: number) { $0 }, #line),
        (AsyncOperation(after: number) { _ in await Task.yield() }, #line),
        (AsyncOperation(after: nothing) {}, #line),
        (AsyncOperation(after: nothing) { await Task.yield() }, #line),
        (AsyncOperation(after: [number]) { $0 }, #line),
        (AsyncOperation(after: [number]) { _ in await Task.yield() }, #line),
        (AsyncOperation<Void>(after: number) { _, _ in }, #line),
        (AsyncOperation(afterOutcomesOf: number) { _ in }, #line),
        (AsyncOperation(afterOutcomesOf: number) { _ in await Task.yield() }, #line),
        (AsyncOperation(afterOutcomesOf: [number]) { _ in }, #line),
        (AsyncOperation(afterOutcomesOf: [number]) { _ in await Task.yield() }, #line),
        (await queue.add(after: number) { $0 }, #line),
        (await queue.add(after: number) { _ in await Task.yield() }, #line),
        (await queue.add(after: [number]) { $0 }, #line),
        (await queue.add(after: [number]) { _ in await Task.yield() }, #line),
      ]
      for (operation, line) in made {
        #expect(operation.description.hasPrefix("AsyncOperation at \(#fileID):\(line) "))
      }
      await queue.cancelAllOperations()
      await queue.resume()
    }
  }
}
