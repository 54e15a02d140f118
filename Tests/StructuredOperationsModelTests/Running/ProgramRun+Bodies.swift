import StructuredOperations
import StructuredOperationsTesting

extension ProgramRun {
  /// Creates an operation; its dependencies already exist.
  func make(_ plan: Program.OperationPlan) -> any OperationProtocol {
    let (id, name, priority) = (plan.id, "\(plan.id)", plan.priority)
    // An operation that is started by hand needs the executor itself, since it has no queue.
    let executor: (any TaskExecutor)? = executor
    switch plan.body {
    case .main:
      return AsyncOperation(name: name, queuePriority: priority, executor: executor) { [self] in within(id) { id } }
    case .throwingMain:
      return AsyncOperation<Int>(name: name, queuePriority: priority, executor: executor) { [self] in
        try within(id) { throw Failure(id: id) }
      }
    case .start:
      return AsyncOperation<Int>(name: name, queuePriority: priority, executor: executor) { [self] in
        await within(plan) {}
        return id
      }
    case .throwingStart:
      return AsyncOperation<Int>(name: name, queuePriority: priority, executor: executor) { [self] in
        await within(plan) {}
        throw Failure(id: id)
      }
    case .throwingLoop:
      return AsyncOperation<Int>(name: name, queuePriority: priority, executor: executor) { [self] in
        await within(plan) {}
        throw OperationError.dependencyCycle(
          plan.dependencies.map(\.on).compactMap(operation) + [id].compactMap(operation))
      }
    case .held:
      return AsyncOperation<Int>(name: name, queuePriority: priority, executor: executor) { [self] in
        await within(plan) { await gates[id]?.wait() }
        return id
      }
    case .heldUnlessCancelled:
      return AsyncOperation<Int>(name: name, queuePriority: priority, executor: executor) { [self] in
        await within(plan) {
          let gate = gates[id]
          await withTaskCancellationHandler {
            await gate?.wait()
          } onCancel: {
            gate?.open()
          }
        }
        try Task.checkCancellation()
        return id
      }
    case .callback, .lateCallback, .doubleCallback, .abandoned, .heldCallback:
      return AsyncOperation<Int>(name: name, queuePriority: priority, executor: executor) { [self] completion in
        call(completion, plan)
      }
    case .blocks, .throwingBlocks:
      return AsyncOperation(name: name, queuePriority: priority, executor: executor, blocks(plan))
    case .fanIn:
      guard let first = plan.dependencies.first, let other = operation(first.on) as? AsyncOperation<Int> else {
        return AsyncOperation(name: name, queuePriority: priority, executor: executor) { [self] in within(id) { id } }
      }
      return AsyncOperation<Int>(after: other, name: name, queuePriority: priority, executor: executor) {
        [self] (output: Int) throws -> Int in
        within(id) { output == first.on ? id : -1 }
      }
    }
  }

  private func begin(_ id: Int) {
    let queue = AsyncOperationQueue.current.flatMap { Int($0.name.dropFirst()) }
    log.append(.began(id, queue: queue, finished: finished))
  }

  private func within<Result>(_ id: Int, _ body: () throws -> Result) rethrows -> Result {
    begin(id)
    defer { log.append(.ended(id)) }
    return try body()
  }

  private func within(_ plan: Program.OperationPlan, _ body: () async -> Void) async {
    begin(plan.id)
    for _ in 0..<plan.yields { await Task.yield() }
    await makeAttempts(plan)
    if let id = plan.waitsFor, let other = operation(id) {
      await withinTimeout(plan) { await wait(for: other, id, plan) }
    }
    if let call = plan.barrierCall { await callBarrier(call, in: plan.id) }
    if plan.waitsFor == nil, plan.wait.lendsSlot {
      log.append(.waitBegan(plan.id, .certain))
      await withLentSlot {
        await Task.yield()
        await body()
      }
      log.append(.waitEnded(plan.id))
    } else {
      await body()
    }
    log.append(.ended(plan.id))
  }

  private func wait(for other: any OperationProtocol, _ id: Int, _ plan: Program.OperationPlan) async {
    if plan.wait == .cancelledValue { await perform(.cancel(plan.id)) }
    let lending: Event.Lending =
      switch plan.wait {
      // On threads the other may finish meanwhile, so that nothing is lent, or the slot for a moment after all.
      case .value, .cancelledValue: executor != nil && Task.isCancelled && !other.isFinished ? .none : .possible
      case .finish: executor != nil && !other.isFinished ? .certain : .possible
      case .lent, .lentValue: .certain
      }
    log.append(.waitBegan(plan.id, lending))
    var outcome: RunRecord.Outcome?
    switch plan.wait {
    case .finish: await other.waitUntilFinished()
    case .value, .cancelledValue: outcome = await Self.value(of: other, id)
    case .lent: await withLentSlot { await other.waitUntilFinished() }
    case .lentValue: outcome = await withLentSlot { await Self.value(of: other, id) }
    }
    log.append(.waitEnded(plan.id))
    if let outcome { log.append(.bodyRead(plan.id, of: id, outcome, isCancelled: Task.isCancelled)) }
  }

  private func call(_ completion: OperationCompletion<Int>, _ plan: Program.OperationPlan) {
    let id = plan.id
    begin(id)
    switch plan.body {
    case .lateCallback:
      spawn { [self] in
        for _ in 0..<plan.yields { await Task.yield() }
        log.append(.ended(id))
        completion.finish(returning: id)
      }
    case .doubleCallback:
      spawn { [self] in
        for _ in 0..<plan.yields { await Task.yield() }
        log.append(.ended(id))
        completion.finish(returning: id)
        completion.finish(throwing: Failure(id: id))
      }
    case .heldCallback: hold(completion, plan)
    case .abandoned:
      log.append(.ended(id))
    default:
      log.append(.ended(id))
      completion.finish(returning: id)
    }
  }

  private func hold(_ completion: OperationCompletion<Int>, _ plan: Program.OperationPlan) {
    let id = plan.id
    let hasEnded = Guarded(false)
    let end: @Sendable () -> Void = { [self] in
      let isFirst = hasEnded.withLock { hasEnded in
        defer { hasEnded = true }
        return !hasEnded
      }
      if isFirst { log.append(.ended(id)) }
    }
    spawn { [self] in
      for _ in 0..<plan.yields { await Task.yield() }
      completion.onCancel { completion in
        end()
        completion.finish(throwing: CancellationError())
      }
      await gates[id]?.wait()
      end()
      completion.finish(returning: id)
    }
  }

  /// Three blocks; the first to begin logs the beginning, the last to end logs the end.
  private func blocks(_ plan: Program.OperationPlan) -> ExecutionBlocks {
    let id = plan.id
    let left = Guarded(3)
    let hasBegun = Guarded(false)
    let enter: @Sendable () -> Void = { [self] in
      let isFirst = hasBegun.withLock { hasBegun in
        defer { hasBegun = true }
        return !hasBegun
      }
      if isFirst { begin(id) }
    }
    let leave: @Sendable () -> Void = { [self] in
      let isLast = left.withLock { left in
        left -= 1
        return left == 0
      }
      if isLast { log.append(.ended(id)) }
    }
    let blocks = ExecutionBlocks {
      enter()
      leave()
    }
    do {
      try blocks.add {
        enter()
        for _ in 0..<plan.yields { await Task.yield() }
        leave()
      }
      try blocks.add {
        enter()
        defer { leave() }
        if plan.body == .throwingBlocks { throw Failure(id: id) }
      }
    } catch {
      preconditionFailure("blocks of a new operation were sealed")
    }
    return blocks
  }
}
