import StructuredOperations

extension Workload {
  /// What is asked of all that waits, or searched in it.
  enum SizedKind: String, CaseIterable, Sendable {
    /// ``AsyncOperationQueue/stalled`` of a chain whose first operation is in no queue.
    case stalledChain = "stalled-chain"
    /// An explanation of operations, each in line for a limit of its own.
    case explainedLimits = "explained-limits"
    /// Queues, each with a barrier, that all wait for one operation: from their first one until all are empty.
    case stalledQueues = "stalled-queues"
    /// A body that pauses 100 times, in a scope in which all others depend on it: for each pause.
    case pausesInScope = "pauses-in-scope"
    /// Scopes, each opened by an operation of the one around it.
    case nestedScopes = "nested-scopes"
    /// Queues that share a limit of two bodies, each with four operations: from the first addition until all are empty.
    case sharedLimit = "shared-limit"
  }

  /// The cost of one among few and among many; the last figure is the ratio of both.
  ///
  /// A cost that grows with the number has a ratio of about the two numbers', 8.
  static func sizes(_ scale: Options.Scale, _ kind: SizedKind) -> Workload {
    let sizes = kind == .nestedScopes ? [50, 400] : [1_000, 8_000]
    return Workload(
      name: "sizes/\(kind.rawValue)",
      figures: sizes.map { Figure(name: "\($0)", unit: .nanosecondsPerOperation) }
        + [Figure(name: "\(sizes[1])-to-\(sizes[0])", unit: .ratio)],
      rounds: scale.growthRounds, operationCount: sizes[0] + sizes[1], isCounted: false,
      [
        .asyncOperationQueue: {
          var costs: [Double] = []
          do {
            for size in sizes { costs.append(try await kind.nanoseconds(for: size) / Double(size)) }
          } catch {
            preconditionFailure("\(error)")
          }
          return costs + [costs[1] / costs[0]]
        }
      ])
  }
}

extension Workload.SizedKind {
  fileprivate func nanoseconds(for count: Int) async throws -> Double {
    switch self {
    case .stalledChain: try await Self.stalledChain(count)
    case .explainedLimits: try await Self.explainedLimits(count)
    case .stalledQueues: try await Self.stalledQueues(count)
    case .pausesInScope: try await Self.pausesInScope(count)
    case .nestedScopes: try await Self.nestedScopes(count)
    case .sharedLimit: await Self.sharedLimit(count)
    }
  }

  private static func stalledChain(_ count: Int) async throws -> Double {
    let queue = AsyncOperationQueue()
    let first = AsyncOperation {}
    var last = first
    for _ in 0..<count {
      let operation = AsyncOperation {}
      try await operation.addDependency(last)
      await queue.add(operation)
      last = operation
    }
    let nanoseconds = await Stopwatch.time {
      let stalled = await queue.stalled
      precondition(stalled.count == count, "\(stalled.count) of \(count) are stalled")
    }
    await queue.add(first)
    await queue.waitUntilAllOperationsAreFinished()
    return nanoseconds
  }

  private static func explainedLimits(_ count: Int) async throws -> Double {
    let queue = AsyncOperationQueue()
    for _ in 0..<count {
      let (operation, limit) = (AsyncOperation {}, ConcurrencyLimit(1))
      try await operation.addLimit(limit)
      limit.setCount(0)
      await queue.add(operation)
    }
    let nanoseconds = await Stopwatch.time {
      for explanation in await queue.explanation { precondition(explanation.rootCauses.isEmpty) }
    }
    await queue.cancelAllOperations()
    await queue.waitUntilAllOperationsAreFinished()
    return nanoseconds
  }

  private static func stalledQueues(_ count: Int) async throws -> Double {
    let (gate, stopwatch) = (AsyncOperation {}, Stopwatch())
    let queues = (0..<count).map { _ in AsyncOperationQueue(maxConcurrentOperationCount: 1) }
    for queue in queues {
      let blocked = AsyncOperation(start: {})
      try await blocked.addDependency(gate)
      await queue.add(blocked)
      await queue.addBarrier(start: {})
      // Returns once the queue has looked for what unblocks it.
      _ = await queue.operations
    }
    try await gate.start()
    for queue in queues { await queue.waitUntilAllOperationsAreFinished() }
    return stopwatch.nanoseconds
  }

  private static func pausesInScope(_ count: Int) async throws -> Double {
    let pauses = 100
    let first = AsyncOperation(start: {
      await Stopwatch.time {
        for _ in 0..<pauses {
          await withLentSlot {
            // Returns once the queue has looked for what unblocks it.
            _ = await AsyncOperationQueue.current?.operations
          }
        }
      }
    })
    let others = (0..<count).map { _ in AsyncOperation(start: {}) }
    for other in others { try await other.addDependency(first) }
    let body = AsyncOperation(start: {
      try await withOperationQueue(maxConcurrentOperationCount: 2) { scope in await scope.add(others + [first]) }
    })
    await AsyncOperationQueue().add(body)
    return try await first.value / Double(pauses)
  }

  private static func nestedScopes(_ depth: Int) async throws -> Double {
    let body = AsyncOperation(start: { try await openScopes(depth) })
    let stopwatch = Stopwatch()
    await AsyncOperationQueue().add(body)
    try await body.value
    return stopwatch.nanoseconds
  }

  private static func openScopes(_ depth: Int) async throws {
    if depth == 0 { return }
    try await withOperationQueue(maxConcurrentOperationCount: 1) { scope in
      await scope.add(start: { try await openScopes(depth - 1) })
    }
  }

  private static func sharedLimit(_ count: Int) async -> Double {
    let (limit, stopwatch) = (ConcurrencyLimit(2), Stopwatch())
    let queues = (0..<count).map { _ in AsyncOperationQueue(maxConcurrentOperationCount: 1) }
    for _ in 0..<4 {
      for queue in queues { await queue.add(limits: [limit]) { () async in } }
    }
    for queue in queues { await queue.waitUntilAllOperationsAreFinished() }
    return stopwatch.nanoseconds
  }
}
