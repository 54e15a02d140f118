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
  }
}
