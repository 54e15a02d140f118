import TestSupport

@testable import StructuredOperations

/// A random program: operations in several queues, whose bodies add operations and wait for others.
///
/// Without loops, everything is added before what waits for it, barriers included; only what an operation depends on
/// may be added later, behind barriers, which it passes; the last of several queues has no barriers, and bodies add to that one alone.
/// With loops bodies wait for whatever there is.
final class RandomWaits: Sendable {
  private enum Step: Sendable {
    /// A wait for an operation of the program, in one of several ways.
    case wait(number: Int, form: Int)
    /// An operation that the body adds to a queue and waits for, in one of several ways; it does the same, so deep.
    case call(queue: Int, form: Int, depth: Int)
    case yield

    var isYield: Bool { if case .yield = self { true } else { false } }
  }

  private struct Node: Sendable {
    let queue: Int
    let steps: [Step]
    let dependencies: [Int]
    /// Whether it is added after a barrier, while others depend on it that were added ahead of that.
    let isLate: Bool
    let priority: QueuePriority
  }

  private struct Made: Sendable {
    var operations: [AsyncOperation<Int>] = []
    var objects: [Weak] = []
  }

  let seed: UInt64
  private let isCyclic: Bool
  private let limits: [Int]
  /// Whether limits stay as they are.
  private let isSteady: Bool
  /// The queues that have barriers.
  private let barrierQueues: Range<Int>
  private let nodes: [Node]
  private let queues: [AsyncOperationQueue]
  private let made = Locked(Made())
  private let running = BodyCounts<Int>()
  private let found = Locked<[String]>([])
  private let waits = Locked(0)
  private let loops = Locked(0)

  var faults: [String] { found.current.map { "seed \(seed): \($0)" } }
  var waitCount: Int { waits.current }
  var loopCount: Int { loops.current }

  init(seed: UInt64, isCyclic: Bool) {
    var random = SeededGenerator(seed: seed)
    let queueCount = Int.random(in: 1...4, using: &random)
    barrierQueues = 0..<(isCyclic ? queueCount : max(1, queueCount - 1))
    let limits = (0..<queueCount).map { _ in Int.random(in: 1...3, using: &random) }
    let count = Int.random(in: 2...16, using: &random)
    self.seed = seed
    self.isCyclic = isCyclic
    self.limits = limits
    isSteady = random.oneIn(2)
    queues = limits.map { AsyncOperationQueue(maxConcurrentOperationCount: $0) }
    nodes = (0..<count).map { Self.node($0, of: count, queueCount, isCyclic, &random) }
    HangGuard.explain(queues)
  }

  private static func node(
    _ number: Int,
    of count: Int,
    _ queueCount: Int,
    _ isCyclic: Bool,
    _ random: inout SeededGenerator
  ) -> Node {
    let isLate = random.oneIn(6)
    let earlier = isCyclic ? 0..<count : 0..<number
    var steps: [Step] = []
    // What is passed by others must not wait for them.
    for _ in 0..<(isLate && !isCyclic ? 0 : Int.random(in: 0...3, using: &random)) {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: steps.append(.yield)
      case 1 where isCyclic || queueCount > 1:
        let queue =
          isCyclic ? Int.random(in: 0..<queueCount, using: &random) : queueCount - 1
        steps.append(
          .call(
            queue: queue, form: Int.random(in: 0..<(isCyclic ? 6 : 5), using: &random),
            depth: Int.random(in: 0...2, using: &random)))
      default:
        guard let other = earlier.randomElement(using: &random) else { continue }
        steps.append(.wait(number: other, form: Int.random(in: 0..<(isCyclic ? 4 : 3), using: &random)))
      }
    }
    let dependencyCount = isLate || number == 0 ? 0 : Int.random(in: 0...2, using: &random)
    return Node(
      queue: Int.random(in: 0..<queueCount, using: &random), steps: steps,
      dependencies: (0..<dependencyCount).map { _ in Int.random(in: 0..<number, using: &random) }, isLate: isLate,
      priority: QueuePriority.allCases.randomElement(using: &random) ?? .normal)
  }

  // MARK: Running

  func run() async throws {
    var random = SeededGenerator(seed: seed &+ 1_000_000)
    let operations = nodes.indices.map { number in
      AsyncOperation(name: "\(number)", queuePriority: nodes[number].priority) { await self.body(number) }
    }
    made.withLock { $0.operations = operations }
    for (operation, node) in zip(operations, nodes) {
      for dependency in node.dependencies where isCyclic || mayPass(nodes[dependency], for: node) {
        try await operation.addDependency(operations[dependency])
      }
    }
    let meddler = Task { [random] in await self.meddle(random) }
    await add(operations, &random)
    await meddler.value
    for (queue, limit) in zip(queues, limits) {
      await queue.resume()
      try await queue.setMaxConcurrentOperationCount(limit)
    }
    for operation in operations { await operation.waitUntilFinished() }
    for queue in queues {
      await queue.waitUntilAllOperationsAreFinished()
      let snapshot = queue.snapshot
      if snapshot.operationCount > 0 || snapshot.executingCount > 0 { found.append("the end left \(snapshot)") }
      if await queue.waitingCount > 0 { found.append("lent slots are left") }
    }
  }

  /// Whether one may depend on another that is added late: in a queue with barriers those at its front alone have others pass.
  private func mayPass(_ dependency: Node, for node: Node) -> Bool {
    !dependency.isLate || !barrierQueues.contains(dependency.queue) || node.queue == dependency.queue
  }

  /// Lets go of everything.
  func forget() -> [Weak] {
    made.withLock { made in
      defer { made = Made() }
      return made.objects + made.operations.map { Weak($0) } + queues.map { Weak($0) }
    }
  }

  private func add(_ operations: [AsyncOperation<Int>], _ random: inout SeededGenerator) async {
    var order = Array(nodes.indices)
    if isCyclic { order.shuffle(using: &random) }
    let late = order.filter { nodes[$0].isLate }
    for number in order where isCyclic || !nodes[number].isLate {
      await queues[nodes[number].queue].add(operations[number])
      if random.oneIn(5) { await addBarrier(to: Int.random(in: barrierQueues, using: &random), &random) }
      if random.oneIn(4) { await Task.yield() }
    }
    // The order of addition is no promise to those that pass.
    for number in isCyclic ? [] : late { await queues[nodes[number].queue].add(operations[number]) }
  }

  private func addBarrier(to queue: Int, _ random: inout SeededGenerator) async {
    let other = isCyclic && random.oneIn(2) ? nodes.indices.randomElement(using: &random) : nil
    let barrier = await queues[queue].addBarrier {
      self.begin(queue)
      await Task.yield()
      if let other { await self.perform(.wait(number: other, form: 0), in: queue) }
      self.end(queue)
    }
    if isCyclic { await link(barrier, &random) }
  }

  /// Has a barrier depend on operations, and operations on it, whatever is ahead of it or behind it.
  private func link(_ barrier: AsyncOperation<Void>, _ random: inout SeededGenerator) async {
    let operations = made.current.operations
    for _ in 0..<Int.random(in: 0..<3, using: &random) {
      guard let operation = operations.randomElement(using: &random) else { return }
      // It closes a loop, or comes too late.
      if random.oneIn(2) {
        _ = try? await barrier.addDependency(operation)
      } else {
        _ = try? await operation.addDependency(barrier)
      }
    }
  }

  /// Cancels, suspends, resumes, and changes limits at random.
  private func meddle(_ random: SeededGenerator) async {
    var random = random
    for _ in 0..<Int.random(in: 0..<20, using: &random) {
      guard let queue = queues.randomElement(using: &random) else { return }
      switch Int.random(in: 0..<10, using: &random) {
      case 0: made.current.operations.randomElement(using: &random)?.cancel()
      case 1: await queue.suspend()
      case 2, 3: await queue.resume()
      case 4: if !isSteady { try? await queue.setMaxConcurrentOperationCount(Int.random(in: 0...3, using: &random)) }
      case 5: if random.oneIn(8) { await queue.cancelAllOperations() }
      default: await Task.yield()
      }
    }
  }

  // MARK: Bodies

  private func body(_ number: Int) async -> Int {
    let queue = nodes[number].queue
    begin(queue)
    for step in nodes[number].steps { await perform(step, in: queue) }
    end(queue)
    return number
  }

  /// A body that a body has added: calls others, so deep.
  private func called(in queue: Int, _ depth: Int, _ form: Int) async -> Int {
    begin(queue)
    if depth > 0 {
      await perform(.call(queue: queue, form: (form + 1) % (isCyclic ? 6 : 5), depth: depth - 1), in: queue)
    }
    await Task.yield()
    end(queue)
    return depth
  }

  /// - Parameter queue: That whose slot the body holds; nil where it holds none.
  private func perform(_ step: Step, in queue: Int?) async {
    switch step {
    case .yield: await Task.yield()
    case .wait(let number, let form):
      // Without loops nobody waits for what is added after barriers.
      guard isCyclic || !nodes[number].isLate else { return }
      let operation = made.withLock { $0.operations[number] }
      let callee = queues[nodes[number].queue]
      // Where a wait has no way to say that it could never end, it stops the program.
      await wait(in: queue) {
        switch isCyclic && form != 3 ? 0 : form {
        case 3: await self.waitForAll(in: self.nodes[number].queue)
        case 0: _ = try await operation.value
        case 1: await operation.waitUntilFinished()
        default:
          await callee.addAndWait(
            self.barrierQueues.contains(self.nodes[number].queue) ? [operation] : [operation, AsyncOperation {}])
        }
      }
    case .call(let other, let form, let depth):
      let callee = queues[other]
      await wait(in: queue) {
        switch form {
        case 5: try await callee.runBarrier { _ = await self.called(in: other, depth, form) }
        case 0: _ = try await callee.run { await self.called(in: other, depth, form) }
        case 1:
          let operation = self.remember(AsyncOperation { await self.called(in: other, depth, form) })
          await callee.add(operation)
          _ = try await operation.value
        case 2:
          try await withOperationQueue(maxConcurrentOperationCount: 1) { scope in
            await scope.add { _ = try await callee.run { await self.called(in: other, depth, form) } }
            if depth > 0 { await scope.addBarrier {} }
          }
        case 3:
          let operation = self.remember(AsyncOperation { await self.called(in: other, depth, form) })
          try await AsyncOperation {
            await callee.add(operation)
            _ = try await operation.value
          }.start()
        default:
          let operation = self.remember(AsyncOperation { await self.called(in: other, depth, form) })
          await callee.add(operation)
          _ = try await operation.value
        }
      }
    }
  }

  /// Waits for everything in a queue, which those of its bodies that run and wait for nobody have to end.
  private func waitForAll(in queue: Int) async {
    let running = made.current.operations.enumerated().filter { number, operation in
      nodes[number].queue == queue && operation.isExecuting && nodes[number].steps.allSatisfy(\.isYield)
    }
    await queues[queue].waitUntilAllOperationsAreFinished()
    for (number, operation) in running where !operation.isFinished {
      found.append("a wait for everything in queue \(queue) has left \(number) running")
    }
  }

  /// The wait of a body, which has a slot before it and after.
  private func wait(in queue: Int?, _ body: () async throws -> Void) async {
    waits.increment()
    if let queue { end(queue) }
    do {
      try await body()
    } catch OperationError.waitWouldDeadlock {
      loops.increment()
      if !isCyclic { found.append("a false alarm") }
    } catch {
      if !(error is CancellationError) { found.append("\(error)") }
    }
    if let queue { begin(queue) }
  }

  private func remember(_ operation: AsyncOperation<Int>) -> AsyncOperation<Int> {
    made.withLock { $0.objects.append(Weak(operation)) }
    return operation
  }

  // MARK: Limits

  private func begin(_ queue: Int) {
    let count = running.begin(queue)
    let limit = isSteady ? limits[queue] : 3
    if count > limit { found.append("\(count) bodies ran in queue \(queue) at limit \(limit)") }
  }

  private func end(_ queue: Int) { running.end(queue) }
}
