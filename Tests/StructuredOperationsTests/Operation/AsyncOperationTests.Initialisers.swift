import Foundation
import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationTests {
  @Suite("Initialisers")
  struct Initialisers {
    private struct Sum: SynchronousOperationBody {
      var numbers: [Int]
      func main() throws -> Int {
        if numbers.isEmpty { throw Failure() }
        return numbers.reduce(0, +)
      }
    }

    private struct Echo: AsynchronousOperationBody {
      var text: String
      func start() async throws -> String {
        await Task.yield()
        if text.isEmpty { throw Failure() }
        return text
      }
    }

    @Test("A closure without await is synchronous, one with it is not, and both give their value")
    func closures() async throws {
      let main = AsyncOperation { 1 }
      let start = AsyncOperation {
        await Task.yield()
        return 2
      }
      #expect(!main.isAsynchronous)
      #expect(start.isAsynchronous)
      try await main.start()
      try await start.start()
      #expect(try await main.value + start.value == 3)
    }

    @Test("A callback body is asynchronous")
    func callback() async throws {
      let operation = AsyncOperation<Int> { completion in Task.detached { completion.finish(returning: 1) } }
      #expect(operation.isAsynchronous)
      try await operation.start()
      #expect(try await operation.value == 1)
    }

    @Test("A type's main() is a synchronous body, and its errors are the operation's")
    func synchronousBody() async throws {
      let sum = AsyncOperation(Sum(numbers: [1, 2, 3]))
      let failure = AsyncOperation(Sum(numbers: []))
      #expect(!sum.isAsynchronous)
      await AsyncOperationQueue().addAndWait([sum, failure])
      #expect(try await sum.value == 6)
      #expect(failure.outcome?.error is Failure)
    }

    @Test("A type's start() is an asynchronous body, and its errors are the operation's")
    func asynchronousBody() async throws {
      let echo = AsyncOperation(Echo(text: "a"))
      let failure = AsyncOperation(Echo(text: ""))
      #expect(echo.isAsynchronous)
      await AsyncOperationQueue().addAndWait([echo, failure])
      #expect(try await echo.value == "a")
      #expect(failure.outcome?.error is Failure)
    }

    @Test("Every initialiser takes a name and a priority")
    func parameters() {
      let operations: [any OperationProtocol] = [
        AsyncOperation(name: "a", queuePriority: .high) { 1 },
        AsyncOperation(name: "a", queuePriority: .high) { await Task.yield() },
        AsyncOperation<Int>(name: "a", queuePriority: .high) { $0.finish(returning: 1) },
        AsyncOperation(name: "a", queuePriority: .high, Sum(numbers: [1])),
        AsyncOperation(name: "a", queuePriority: .high, Echo(text: "a")),
        AsyncOperation(name: "a", queuePriority: .high, ExecutionBlocks()),
        AsyncOperation(after: AsyncOperation { 1 }, name: "a", queuePriority: .high) { $0 },
      ]
      for operation in operations {
        #expect(operation.name == "a")
        #expect(operation.queuePriority == .high)
      }
    }

    @Test("Bodies of every kind run on the operation's executor, with its task priority")
    func executorAndPriority() async throws {
      let executor = LabelledExecutor("operation")
      let seen = Locked<[String: TaskPriority]>([:])
      @Sendable func note(_ kind: String) {
        #expect(LabelledExecutor.currentLabel == "operation", "\(kind)")
        seen.withLock { $0[kind] = Task.basePriority }
      }
      let operations: [any OperationProtocol] = [
        AsyncOperation(taskPriority: .high, executor: executor) { note("main") },
        AsyncOperation(taskPriority: .high, executor: executor) {
          await Task.yield()
          note("start")
        },
        AsyncOperation<Void>(taskPriority: .high, executor: executor) { completion in
          note("callback")
          completion.finish()
        },
        AsyncOperation(taskPriority: .high, executor: executor, ExecutionBlocks { note("blocks") }),
        AsyncOperation(after: AsyncOperation.succeeded(), taskPriority: .high, executor: executor) { _ in note("after")
        },
      ]
      for operation in operations where operation.isReady { try await operation.start() }
      #expect(seen.current.filter { $0.value < .high }.isEmpty)
      #expect(Set(seen.current.keys) == ["main", "start", "callback", "blocks"])
    }

    @Test("Outputs may be optional, functions, or operations")
    func unusualOutputs() async throws {
      let none = AsyncOperation { Int?.none }
      let some = AsyncOperation { Int??.some(nil) }
      let function = AsyncOperation<@Sendable () -> Int> { { 5 } }
      let operation = AsyncOperation { AsyncOperation { 6 } }
      await AsyncOperationQueue().addAndWait([none, some, function, operation])
      #expect(try await none.value == nil)
      #expect(try await some.value == .some(nil))
      #expect(try await function.value() == 5)
      #expect(try await !operation.value.isFinished)
    }
  }
}

extension AsyncOperation where Output == Int {
  fileprivate static func succeeded() -> AsyncOperation<Int> { AsyncOperation { 1 } }
}
