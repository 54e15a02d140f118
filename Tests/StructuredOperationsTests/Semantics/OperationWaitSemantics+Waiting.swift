import Testing
import TestSupport

@testable import StructuredOperations

extension OperationWaitSemantics {
  /// An operation that asks for the value of another, which is given later.
  private struct Asking: Sendable {
    let target = Locked<AsyncOperation<Int>?>(nil)
    /// How often the question could never have been answered.
    let refusals = Locked(0)
    let operation: AsyncOperation<Int>

    init() {
      let (target, refusals) = (target, refusals)
      operation = AsyncOperation {
        defer { target.withLock { $0 = nil } }
        do {
          return try await target.current?.value ?? 0
        } catch OperationError.waitWouldDeadlock {
          refusals.increment()
          return -1
        }
      }
    }

    func ask(for other: AsyncOperation<Int>) {
      target.withLock { $0 = other }
    }
  }

  @Test("WT-03 A body that asks for its own value is told that this could never end", arguments: [false, true])
  func itself(isQueued: Bool) async throws {
    let asking = Asking()
    asking.ask(for: asking.operation)
    if isQueued {
      await AsyncOperationQueue(maxConcurrentOperationCount: 1).add(asking.operation)
    } else {
      try await asking.operation.start()
    }
    #expect(try await asking.operation.value == -1)
  }

  @Test("WT-03 So is one that asks for the value of an operation that depends on it", arguments: [0, 1, 10])
  func dependent(operationsBetween count: Int) async throws {
    let asking = Asking()
    var chain = [asking.operation]
    for _ in 0...count {
      let next = AsyncOperation { 1 }
      try await next.addDependency(chain[chain.count - 1])
      chain.append(next)
    }
    asking.ask(for: chain[chain.count - 1])
    await AsyncOperationQueue().add(chain)
    #expect(try await asking.operation.value == -1)
    for operation in chain.dropFirst() { #expect(try await operation.value == 1) }
  }

  @Test("WT-03 Of several that ask for each other in a ring exactly one is told", arguments: [1, 2, 8], [2, 3, 5])
  func ring(limit: Int, count: Int) async throws {
    let all = (0..<count).map { _ in Asking() }
    for (number, asking) in all.enumerated() { asking.ask(for: all[(number + 1) % count].operation) }
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: limit)
    await queue.add(all.map(\.operation))
    await queue.waitUntilAllOperationsAreFinished()
    #expect(all.map(\.refusals.current).reduce(0, +) == 1)
    for asking in all { #expect(try await asking.operation.value == -1, "its answer goes round") }
  }

  @Test("WT-03 One that asks for the value of what waits behind a barrier for it is told, too")
  func behindBarrier() async throws {
    let asking = Asking()
    let behind = AsyncOperation { 1 }
    asking.ask(for: behind)
    let queue = AsyncOperationQueue(isSuspended: true)
    await queue.add(asking.operation)
    await queue.addBarrier {}
    await queue.add(behind)
    await queue.resume()
    #expect(try await asking.operation.value == -1)
    #expect(try await behind.value == 1)
  }

  @Test("WT-03 Where nothing can be thrown the program stops, and says who waits for whom")
  func stops() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      HangGuard.watch("a wait that is not found")
      let holder = Locked<AsyncOperation<Void>?>(nil)
      let operation = AsyncOperation(name: "ouroboros") { await holder.current?.waitUntilFinished() ?? () }
      holder.withLock { $0 = operation }
      try await operation.start()
    }
    // The guard's message names no operation.
    #expect(result.map { String(decoding: $0.standardErrorContent, as: UTF8.self).contains("ouroboros") } == true)
  }

  @Test("WT-03 A task that a body starts may wait for that body")
  func unstructuredTask() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let (started, done) = (Gate(), Gate())
    let operation = AsyncOperation {
      let itself = AsyncOperation.current
      Task {
        started.open()
        await itself?.waitUntilFinished()
        done.open()
      }
      await started.wait()
    }
    await queue.add(operation)
    await operation.waitUntilFinished()
    await done.wait()
  }

  @Test("WT-03 A body that waits for another of its own queue lends its slot", arguments: [1, 2])
  func lending(limit: Int) async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: limit)
    let operations = (0..<limit).map { number in
      AsyncOperation {
        let inner = await queue.add { number }
        await inner.waitUntilFinished()
        return try await inner.value + 10
      }
    }
    await queue.add(operations)
    for (number, operation) in operations.enumerated() { #expect(try await operation.value == number + 10) }
  }

  private static func fibonacci(_ number: Int, in queue: AsyncOperationQueue) async throws -> Int {
    if number < 2 { return number }
    let (one, other) = await (
      queue.add { try await fibonacci(number - 1, in: queue) }, queue.add { try await fibonacci(number - 2, in: queue) }
    )
    return try await one.value + other.value
  }

  @Test("WT-03 So recursion ends at width 1")
  func recursion() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    #expect(try await queue.add { try await Self.fibonacci(10, in: queue) }.value == 55)
  }

  private static func bounce(_ number: Int, _ one: AsyncOperationQueue, _ other: AsyncOperationQueue) async throws
    -> Int
  {
    if number == 0 { return 0 }
    return try await other.add { try await bounce(number - 1, other, one) + 1 }.value
  }

  @Test("WT-03 And so do two queues of width 1 that call each other")
  func twoQueues() async throws {
    let (one, other) = (
      AsyncOperationQueue(maxConcurrentOperationCount: 1), AsyncOperationQueue(maxConcurrentOperationCount: 1)
    )
    #expect(try await Self.bounce(20, one, other) == 20)
  }
}
