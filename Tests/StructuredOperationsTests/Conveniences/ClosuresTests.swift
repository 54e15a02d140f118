import Testing
import TestSupport

@testable import StructuredOperations

@Suite("Adding closures", .hangGuard)
struct ClosuresTests {
  /// From a function that is not asynchronous the synchronous forms are chosen.
  private func addSynchronously(to queue: AsyncOperationQueue) -> [any OperationProtocol] {
    [
      queue.add(name: "main", queuePriority: .high) { 1 },
      queue.add(name: "start", queuePriority: .low) { await Task.yield() },
    ]
  }

  @Test("Name and priority go to the operation, in every form")
  func parameters() async {
    let queue = AsyncOperationQueue(isSuspended: true)
    var operations = addSynchronously(to: queue)
    operations.append(await queue.add(name: "main", queuePriority: .high) { 1 })
    operations.append(await queue.add(name: "start", queuePriority: .low) { await Task.yield() })
    #expect(operations.map(\.name) == ["main", "start", "main", "start"])
    #expect(operations.map(\.queuePriority) == [.high, .low, .high, .low])
    #expect(operations.map(\.isAsynchronous) == [false, true, false, true])
    #expect(await queue.operations.elementsEqual(operations) { $0 === $1 })
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
  }

  @Test("A closure may throw")
  func throwing() async {
    let queue = AsyncOperationQueue()
    let operation = await queue.add { throw Failure(code: 1) }
    await #expect(throws: Failure(code: 1)) { try await operation.value }
  }

  @Test("A closure after others gets their outputs, and may be added before them, to another queue")
  func after() async throws {
    let (queue, other) = (AsyncOperationQueue(), AsyncOperationQueue())
    let number = AsyncOperation { 2 }
    let text = AsyncOperation { "ab" }
    let main = await queue.add(after: number, text, name: "main", queuePriority: .high) { $0 + $1.count }
    let start = await queue.add(after: main) { sum in
      await Task.yield()
      return sum * 10
    }
    #expect(main.state == .pending)
    #expect(main.name == "main")
    #expect(main.queuePriority == .high)
    #expect(queue.operationCount == 2)
    await other.add(text, number)
    #expect(try await start.value == 40)
  }

  @Test("A closure after operations of one type gets an array of their outputs")
  func afterArray() async throws {
    let (queue, other) = (AsyncOperationQueue(), AsyncOperationQueue())
    let numbers = (0..<3).map { number in AsyncOperation { number } }
    let main = await queue.add(after: numbers, name: "main", queuePriority: .high) { $0 }
    let start = await queue.add(after: [main, main]) { arrays in
      await Task.yield()
      return arrays.flatMap(\.self)
    }
    #expect(main.name == "main")
    #expect(main.queuePriority == .high)
    #expect(queue.operationCount == 2)
    await other.add(numbers)
    #expect(try await start.value == [0, 1, 2, 0, 1, 2])
  }

  @Test("What a closed queue is given as a closure has failed at once, in every form")
  func closed() async throws {
    let queue = try await withOperationQueue { $0 }
    let number = AsyncOperation { 1 }
    var operations = addSynchronously(to: queue)
    operations.append(await queue.add { 1 })
    operations.append(await queue.add { await Task.yield() })
    operations.append(await queue.add(after: number) { $0 })
    operations.append(await queue.add(after: number) { _ in await Task.yield() })
    operations.append(await queue.add(after: [number]) { $0 })
    operations.append(await queue.add(after: [number]) { _ in await Task.yield() })
    for operation in operations { #expect(operation.error as? OperationError == .queueClosed) }
  }

  @Test("A closure after one that fails does not run")
  func afterFailure() async {
    let queue = AsyncOperationQueue()
    let bad = AsyncOperation<Int> { throw Failure() }
    let next = await queue.add(after: bad) { number in
      Issue.record("it ran")
      return number
    }
    await queue.add(bad)
    await next.waitUntilFinished()
    #expect((next.outcome?.error as? OperationError)?.root?.operation === bad)
  }
}
