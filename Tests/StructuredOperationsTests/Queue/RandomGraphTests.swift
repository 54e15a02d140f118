import Testing

@testable import StructuredOperations

/// Random graphs of operations in random queues, run for real while somebody meddles, and held against what is
/// promised for all of them.
@Suite("Random graphs", .hangGuard)
struct RandomGraphTests {
  @Test("Each body runs once at most, after its dependencies and within the limits, and everything ends and is freed")
  func graphs() async throws {
    for seed in UInt64(0)..<300 {
      let weak = try await run(seed: seed)
      let isFreed = await eventually { weak.allSatisfy { $0.object == nil } }
      #expect(isFreed, "seed \(seed): \(weak.filter { $0.object != nil }.count) objects are left")
      HangGuard.progress()
    }
  }

  @Test("The same holds within a scope that is cancelled at some moment")
  func scopes() async {
    for seed in UInt64(1_000)..<1_100 {
      let weak = await runScope(seed: seed)
      let isFreed = await eventually { weak.allSatisfy { $0.object == nil } }
      #expect(isFreed, "seed \(seed): \(weak.filter { $0.object != nil }.count) objects are left")
      HangGuard.progress()
    }
  }

  private func runScope(seed: UInt64) async -> [Weak] {
    var random = SeededGenerator(seed: seed)
    let graph = RandomGraph(&random)
    let made = Locked<(operations: [any OperationProtocol], queue: Weak?)>(([], nil))
    let added = Gate()
    let scope = Task { [random] in
      var random = random
      let limit = Int.random(in: 1...4, using: &random)
      try await withOperationQueue(maxConcurrentOperationCount: limit) { queue in
        let operations = try await graph.makeOperations()
        made.withLock { $0 = (operations, Weak(queue)) }
        #expect(await queue.add(operations.shuffled(using: &random)) == operations.count)
        added.open()
      }
    }
    await added.wait()
    let (operations, queue) = made.current
    let histories = operations.map { $0.history() }
    for _ in 0..<Int.random(in: 0..<20, using: &random) { await Task.yield() }
    scope.cancel()
    _ = await scope.result
    for (operation, history) in zip(operations, histories) {
      #expect(operation.isFinished, "seed \(seed)")
      await graph.check(operation, history, isLate: true)
    }
    #expect(graph.faults(seed: seed) == [])
    return operations.map { Weak($0) } + (queue.map { [$0] } ?? [])
  }

  private func run(seed: UInt64) async throws -> [Weak] {
    var random = SeededGenerator(seed: seed)
    let graph = RandomGraph(&random)
    let operations = try await graph.makeOperations()
    let queues = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      AsyncOperationQueue(
        maxConcurrentOperationCount: Int.random(in: 0...3, using: &random), isSuspended: random.oneIn(3))
    }
    let histories = operations.map { $0.history() }
    let waiters = operations.map { operation in Task { await operation.waitUntilFinished() } }
    let meddler = Task { [random] in await meddle(operations, queues, random) }

    var batch: [any OperationProtocol] = []
    var barriers = 0
    let passedBarriers = Locked(0)
    for operation in operations.shuffled(using: &random) {
      batch.append(operation)
      if random.oneIn(2) {
        await queues.randomElement(using: &random)?.add(batch)
        batch = []
      }
      if random.oneIn(8), queues.count == 1, graph.isFlat {
        await queues[0].addBarrier { passedBarriers.increment() }
        barriers += 1
      }
    }
    await queues[0].add(batch)
    await meddler.value
    for queue in queues {
      await queue.resume()
      try await queue.setMaxConcurrentOperationCount(3)
    }

    for waiter in waiters { await waiter.value }
    for (operation, history) in zip(operations, histories) { await graph.check(operation, history) }
    for queue in queues {
      await queue.waitUntilAllOperationsAreFinished()
      let snapshot = await queue.snapshot
      #expect(snapshot.operationCount == 0 && snapshot.executingCount == 0, "seed \(seed)")
    }
    #expect(graph.faults(seed: seed) == [])
    #expect(graph.peak <= 3 * queues.count, "seed \(seed)")
    #expect(passedBarriers.current <= barriers, "seed \(seed)")
    return operations.map { Weak($0) } + queues.map { Weak($0) }
  }

  /// Cancels, suspends, resumes, and changes limits and priorities at random.
  private func meddle(
    _ operations: [any OperationProtocol],
    _ queues: [AsyncOperationQueue],
    _ random: SeededGenerator
  ) async {
    var random = random
    for _ in 0..<Int.random(in: 0..<30, using: &random) {
      guard let queue = queues.randomElement(using: &random),
        let operation = operations.randomElement(using: &random)
      else { return }
      switch Int.random(in: 0..<12, using: &random) {
      case 0: operation.cancel()
      case 1: await queue.suspend()
      case 2, 3: await queue.resume()
      case 4, 5: try? await queue.setMaxConcurrentOperationCount(Int.random(in: 0...3, using: &random))
      case 6, 7: await operation.setQueuePriority(QueuePriority.allCases.randomElement(using: &random) ?? .normal)
      case 8: if random.oneIn(6) { await queue.cancelAllOperations() }
      case 9: _ = await queue.add(operation)
      case 10: for await _ in operation.states { break }
      default: await Task.yield()
      }
    }
  }
}

/// The plan of a graph, and a record of how it ran.
private final class RandomGraph: Sendable {
  private enum Kind: CaseIterable {
    case main, start, callback, blocks, throwing, abandoning
  }

  private struct Node: Sendable {
    let kind: Kind
    let priority: QueuePriority
    let dependencies: [(index: Int, requirement: DependencyRequirement)]
    let yields: Int
  }

  private let nodes: [Node]
  private let recorder = Recorder<Int>()
  private let found = Locked<[String]>([])
  /// The operations by number, as long as somebody holds them.
  private let operations = Locked<[Weak]>([])

  /// Whether nothing depends on anything, so that barriers hold nobody up for ever.
  var isFlat: Bool { nodes.allSatisfy { $0.dependencies.isEmpty } }

  var peak: Int { recorder.peak }

  init(_ random: inout SeededGenerator) {
    let count = Int.random(in: 1...24, using: &random)
    let isFlat = random.oneIn(4)
    var nodes: [Node] = []
    for number in 0..<count {
      let dependencyCount = isFlat || number == 0 ? 0 : Int.random(in: 0...min(3, number), using: &random)
      nodes.append(
        Node(
          kind: Kind.allCases.randomElement(using: &random) ?? .main,
          priority: QueuePriority.allCases.randomElement(using: &random) ?? .normal,
          dependencies: (0..<dependencyCount).map { _ in
            (Int.random(in: 0..<number, using: &random), random.oneIn(3) ? .success : .completion)
          },
          yields: Int.random(in: 0..<4, using: &random)))
    }
    self.nodes = nodes
  }

  func makeOperations() async throws -> [any OperationProtocol] {
    var made: [any OperationProtocol] = []
    for (number, node) in nodes.enumerated() {
      let operation = operation(number, node)
      for (index, requirement) in node.dependencies {
        try await operation.addDependency(made[index], requiring: requirement)
      }
      made.append(operation)
    }
    operations.withLock { [made] operations in operations = made.map { Weak($0) } }
    return made
  }

  private func operation(_ number: Int, _ node: Node) -> any OperationProtocol {
    let (name, priority) = ("\(number)", node.priority)
    switch node.kind {
    case .main:
      return AsyncOperation(name: name, queuePriority: priority) { self.within(number) { number } }
    case .start:
      return AsyncOperation(name: name, queuePriority: priority) {
        self.begin(number)
        for _ in 0..<node.yields { await Task.yield() }
        self.recorder.end(number)
        try Task.checkCancellation()
      }
    case .callback:
      return AsyncOperation<Int>(name: name, queuePriority: priority) { completion in
        self.begin(number)
        completion.onCancel { completion in
          self.recorder.end(number)
          completion.finish(throwing: CancellationError())
        }
        Task {
          for _ in 0..<node.yields { await Task.yield() }
          self.recorder.end(number)
          completion.finish(returning: number)
        }
      }
    case .blocks:
      let blocks = ExecutionBlocks { self.within(number) {} }
      try? blocks.add { await Task.yield() }
      return AsyncOperation(name: name, queuePriority: priority, blocks)
    case .throwing:
      return AsyncOperation(name: name, queuePriority: priority) {
        try self.within(number) { throw Failure(code: number) }
      }
    case .abandoning:
      return AsyncOperation<Void>(name: name, queuePriority: priority) { _ in self.within(number) {} }
    }
  }

  private func within<Result>(_ number: Int, _ body: () throws -> Result) rethrows -> Result {
    begin(number)
    defer { recorder.end(number) }
    return try body()
  }

  /// A body begins: what it depends on has to have finished, and succeeded where that was required.
  private func begin(_ number: Int) {
    recorder.begin(number)
    let operations = operations.current
    for (index, requirement) in nodes[number].dependencies {
      guard let dependency = operations[index].object as? any OperationProtocol else { continue }
      if !dependency.isFinished { found.append("\(number) ran before \(index)") }
      if requirement == .success, dependency.core.outcome?.isSuccess != true {
        found.append("\(number) ran though \(index) had not succeeded")
      }
    }
    if let operation = operations[number].object as? any OperationProtocol, operation.state != .executing {
      found.append("the body of \(number) ran in state \(operation.state)")
    }
  }

  /// Checks one operation that has finished.
  ///
  /// - Parameter isLate: Whether the observer may have come when the body was over.
  func check(
    _ operation: any OperationProtocol,
    _ history: Task<[OperationSnapshot], Never>,
    isLate: Bool = false
  ) async {
    let (history, name) = (await history.value, operation.name ?? "")
    if let fault = fault(in: history) { found.append("\(name): \(fault)") }
    if history.last?.isFinished != true || !operation.isFinished { found.append("\(name) has not finished") }
    let hasRun = recorder.begun.contains { "\($0)" == name }
    if hasRun, !isLate, !history.contains(where: \.isExecuting) { found.append("\(name) ran unseen") }
    if !hasRun, history.contains(where: \.isExecuting) { found.append("\(name) executed without running") }
    switch operation.core.outcome {
    case .success: if !hasRun { found.append("\(name) succeeded unrun") }
    case .cancelled: if !operation.isCancelled { found.append("\(name) came to a cancellation uncancelled") }
    case .failure(let error):
      if error is OperationError, hasRun, nodes[Int(name) ?? 0].kind != .abandoning {
        found.append("\(name) ran and failed with \(error)")
      }
    case nil: found.append("\(name) has no outcome")
    }
  }

  func faults(seed: UInt64) -> [String] {
    let begun = recorder.begun
    if Set(begun).count != begun.count { found.append("a body ran twice: \(begun)") }
    return found.current.map { "seed \(seed): \($0)" }
  }
}
