import Testing
import TestSupport

@testable import StructuredOperations

extension DependencySemantics {
  private func named(_ names: String...) -> [AsyncOperation<Void>] { names.map { AsyncOperation(name: $0) {} } }

  private func error(_ body: () async throws -> Void) async -> OperationError? {
    do { try await body() } catch { return error as? OperationError }
    return nil
  }

  @Test("DP-03 An operation cannot depend on itself")
  func itself() async {
    let operation = AsyncOperation {}
    #expect(await error { try await operation.addDependency(operation) } == .dependencyOnSelf)
    #expect(operation.dependencies.isEmpty)
  }

  @Test("DP-04 A loop is refused with its path, the receiver first, and leaves both as they were")
  func path() async throws {
    let operations = named("a", "b", "c", "d")
    for (one, next) in zip(operations, operations.dropFirst()) { try await one.addDependency(next) }
    let error = await error { try await operations[3].addDependency(operations[0]) }
    #expect(error?.loop == ["d", "a", "b", "c"])
    #expect(operations[3].dependencies.isEmpty)
    #expect(operations[3].isReady)
    await AsyncOperationQueue().addAndWait(operations)
  }

  @Test("DP-04 Two that depend on each other are a loop")
  func two() async throws {
    let operations = named("a", "b")
    try await operations[0].addDependency(operations[1])
    #expect(await error { try await operations[1].addDependency(operations[0]) }?.loop == ["b", "a"])
  }

  @Test("DP-04 The path avoids side branches, and may be long")
  func longPath() async throws {
    let chain = (0..<5_000).map { number in AsyncOperation(name: "\(number)") {} }
    for (one, next) in zip(chain, chain.dropFirst()) { try await one.addDependency(next) }
    for operation in chain.prefix(100) { try await operation.addDependency(AsyncOperation(name: "side") {}) }
    let loop = await error { try await chain[4_999].addDependency(chain[0]) }?.loop
    #expect(loop == ["4999"] + (0..<4_999).map { "\($0)" })
  }

  @Test("DP-04 A diamond is no loop")
  func diamond() async throws {
    let operations = named("top", "left", "right", "bottom")
    try await operations[1].addDependency(operations[0])
    try await operations[2].addDependency(operations[0])
    try await operations[3].addDependencies(operations[1], operations[2])
    try await operations[3].addDependency(operations[0])
  }

  @Test("DP-17 An edge that was removed closes no loop: it may be turned round")
  func removedEdge() async throws {
    let operations = named("a", "b")
    try await operations[0].addDependency(operations[1])
    await operations[0].removeDependency(operations[1])
    try await operations[1].addDependency(operations[0])
    await AsyncOperationQueue().addAndWait(operations)
  }

  @Test("DP-06 An edge whose end has finished closes no loop, neither that of a dependency nor that of a dependent")
  func finishedEdge() async throws {
    let operations = named("a", "b", "c")
    try await operations[1].addDependency(operations[0])
    try await operations[0].start()
    try await operations[0].addDependency(operations[1])

    try await operations[1].addDependency(operations[2])
    operations[1].cancel()
    try await operations[1].start()
    try await operations[2].addDependency(operations[1])
    try await operations[2].start()
    #expect(operations[2].outcome?.isSuccess == true)
  }

  @Test("DP-06 An edge whose end has finished closes no loop while a body somewhere waits for everything in a queue")
  func finishedEdgeBesideWait() async throws {
    try await whileWaitingForAll {
      let operations = named("a", "b")
      try await operations[0].addDependency(operations[1])
      operations[0].cancel()
      try await operations[0].start()
      try await operations[1].addDependency(operations[0])
      try await operations[1].start()
      #expect(operations[1].outcome?.isSuccess == true)
    }
  }

  @Test("DP-05 Cancelling frees an operation that waits, and those behind it")
  func cancellation() async throws {
    let operations = named("a", "b", "never")
    try await operations[0].addDependency(operations[1])
    try await operations[1].addDependency(operations[2])
    let queue = AsyncOperationQueue()
    await queue.add(operations[0], operations[1])
    operations[1].cancel()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(operations[0].outcome?.isSuccess == true)
  }

  @Test("DP-22 Of two that close a loop from both ends at once exactly one is refused")
  func bothEnds() async {
    for _ in 0..<1_000 {
      let operations = named("a", "b")
      async let one = error { try await operations[0].addDependency(operations[1]) }
      async let other = error { try await operations[1].addDependency(operations[0]) }
      let loops = await [one?.loop, other?.loop].compactMap { $0 }
      #expect(loops == [["a", "b"]] || loops == [["b", "a"]])
    }
  }

  @Test("DP-22 Of a ring that many tasks close at once exactly one edge is missing", arguments: [3, 8])
  func ring(count: Int) async {
    for _ in 0..<200 {
      let operations = (0..<count).map { number in AsyncOperation(name: "\(number)") {} }
      let refused = Locked<[[String?]]>([])
      await withTaskGroup { group in
        for number in 0..<count {
          group.addTask {
            let error = await error { try await operations[number].addDependency(operations[(number + 1) % count]) }
            if let loop = error?.loop { refused.append(loop) }
          }
        }
      }
      #expect(refused.current.count == 1)
      #expect(refused.current.first?.count == count)
      let queue = AsyncOperationQueue()
      await queue.addAndWait(operations)
    }
  }

  @Test("DP-22 Edges are added at random by several tasks while operations run, and everything finishes")
  func randomEdges() async {
    for seed in UInt64(0)..<40 {
      let operations = (0..<24).map { number in AsyncOperation(name: "\(number)") { await Task.yield() } }
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 3)
      await queue.add(operations)
      await withTaskGroup { group in
        for part in UInt64(0)..<4 {
          group.addTask {
            var random = SeededGenerator(seed: seed &* 4 &+ part)
            for _ in 0..<60 {
              let (one, other) = (Int.random(in: 0..<24, using: &random), Int.random(in: 0..<24, using: &random))
              if random.oneIn(4) {
                await operations[one].removeDependency(operations[other])
              } else {
                _ = try? await operations[one].addDependency(operations[other])
              }
            }
          }
        }
      }
      await queue.waitUntilAllOperationsAreFinished()
      #expect(operations.allSatisfy { $0.outcome?.isSuccess == true }, "seed \(seed)")
    }
  }
}
