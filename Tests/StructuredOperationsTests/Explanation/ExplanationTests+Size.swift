import StructuredOperations
import TestSupport
import Testing

extension ExplanationTests {
  @Test("A chain of 100 000 outside of queues is followed without recursion")
  func longChain() async throws {
    var previous = AsyncOperation(name: "root") {}
    for _ in 0..<100_000 {
      let next = AsyncOperation {}
      try await next.addDependency(previous)
      previous = next
    }
    let last = AsyncOperation(name: "last") {}
    try await last.addDependency(previous)

    #expect(await last.explanation.rootCauses.count == 100_001)
    #expect(await last.explanation.description.contains("There are other root causes"))
  }

  @Test("10 000 in line for 64 slots are explained at once, each with its number")
  func wideLine() async {
    let (queue, gate) = (AsyncOperationQueue(maxConcurrentOperationCount: 64), Gate())
    let operations = (0..<10_000).map { number in AsyncOperation(name: "\(number)") { await gate.wait() } }
    await queue.add(operations)
    #expect(await eventually { queue.snapshot.executingCount == 64 })

    let explanation = await queue.explanation

    #expect(explanation.count == 10_000)
    let places = explanation.compactMap { one -> Int? in
      guard case .noSlot(_, let place, let holders)? = one.reasons.first, holders.count == 64 else { return nil }
      return place
    }
    #expect(places == Array(1...9_936))
    gate.open()
    await queue.waitUntilAllOperationsAreFinished()
  }

  @Test("Of 10 000 that depend on each other in a suspended queue the first one is the root of all")
  func suspendedChain() async throws {
    let queue = AsyncOperationQueue(isSuspended: true)
    let operations = (0..<10_000).map { AsyncOperation(name: "\($0)") {} }
    for (one, next) in zip(operations, operations.dropFirst()) { try await next.addDependency(one) }
    await queue.add(operations)

    let explanation = await queue.explanation

    #expect(explanation.dropFirst().allSatisfy { $0.rootCauses.map(\.name) == ["0"] })
    await queue.cancelAllOperations()
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
  }

  @Test("50 000, each in line for a limit of its own, are explained at once")
  func limitsOfTheirOwn() async throws {
    let queue = AsyncOperationQueue()
    let limits = (0..<50_000).map { ConcurrencyLimit(1, name: "\($0)") }
    var operations: [AsyncOperation<Void>] = []
    for limit in limits {
      let operation = AsyncOperation {}
      try await operation.addLimit(limit)
      limit.setCount(0)
      operations.append(operation)
    }
    await queue.add(operations)

    let explanation = await queue.explanation

    let named = explanation.map { one -> String? in
      guard case .concurrencyLimit(let limit, let holders)? = one.reasons.last, holders.isEmpty else { return nil }
      return limit.name
    }
    #expect(named == limits.map(\.name))
    await queue.cancelAllOperations()
    await queue.waitUntilAllOperationsAreFinished()
  }

  @Test("20 000 in line for a limit that as many others have are explained at once")
  func limitOfMany() async throws {
    let (count, gate) = (20_000, Gate())
    let limit = ConcurrencyLimit(count)
    let queues = (0..<2).map { _ in AsyncOperationQueue(maxConcurrentOperationCount: count) }
    for _ in 0..<count { await queues[0].add(limits: [limit]) { await gate.wait() } }
    #expect(await eventually { limit.available == 0 })
    for _ in 0..<count { await queues[1].add(limits: [limit]) {} }

    let explanation = await queues[1].explanation

    #expect(explanation.count == count)
    let isComplete = explanation.allSatisfy { one in
      guard case .concurrencyLimit(_, let holders)? = one.reasons.first else { return false }
      return holders.count == count
    }
    #expect(isComplete)
    gate.open()
    for queue in queues { await queue.waitUntilAllOperationsAreFinished() }
  }
}
