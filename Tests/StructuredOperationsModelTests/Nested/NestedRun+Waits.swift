import StructuredOperations
import TestSupport

// What waits: for operations and queues, for what the body runs itself, for time.
extension NestedRun {
  func start(_ plan: NestedProgram.Plan, _ context: Context) async throws {
    let home = Locked<Site?>(nil)
    let operation = await make(plan, home: home, context)
    do {
      try await waiting(context) { try await operation.start() }
    } catch OperationError.notReady {
      await add(operation, insteadOf: home)
    }
  }

  func waitForValue(of operation: AsyncOperation<Void>?, _ context: Context) async throws {
    guard let operation else { return }
    if !context.isBody { return await operation.waitUntilFinished() }
    try await waiting(context) { try await operation.value }
    if !operation.isFinished { found("the value was there before the end of \(operation)") }
  }

  func waitForAll(in site: Site, _ context: Context, _ wait: (AsyncOperationQueue) async -> Void) async throws {
    // A body does not wait for those that wait for it.
    let awaited = context.isBody ? [] : await site.queue.operations
    try await waiting(context) { await wait(site.queue) }
    if let left = awaited.first(where: { !$0.isFinished }) { found("a wait for everything has left \(left)") }
  }

  func run(_ plan: NestedProgram.Plan, in site: Site, _ context: Context) async throws {
    let name = nextName()
    try await waiting(context) {
      try await site.queue.run(name: name, limits: limits(of: plan)) {
        let own = await site.queue.operations.first { $0.name == name } as? AsyncOperation<Void>
        if let own { register(own) }
        let slot = Slot(site: site, limits: plan.limits)
        try await perform(plan.body, self.context(of: own, slot, in: context))
      }
    }
  }

  func runBarrier(_ plan: NestedProgram.Plan, in site: Site, _ context: Context) async throws {
    let slot = Slot(site: site, limits: plan.limits, isBarrier: true)
    try await waiting(context) {
      try await site.queue.runBarrier(limits: limits(of: plan)) {
        try await perform(plan.body, self.context(of: nil, slot, in: context))
      }
    }
  }

  func open(_ scope: NestedProgram.Scope, _ context: Context) async throws {
    var site: Site?
    defer {
      enter(context.slot)
      if let site {
        state.withLock { $0.openScopes.removeAll { $0 === site } }
        checkEnd(of: site)
      }
    }
    try await withOperationQueue(
      maxConcurrentOperationCount: scope.queue.width, executor: executor, isSuspended: scope.isSuspended,
      onFailure: scope.cancelsOnFailure ? .cancelAll : .continue, startRate: scope.queue.rate.map(Self.rate),
      clock: clock
    ) { queue in
      // What follows is the wait for the end.
      defer { leave(context.slot) }
      let own = Site(queue, width: scope.queue.width, isScope: true, opener: context.around.first)
      site = own
      state.withLock { state in
        if !context.isChildTask { state.openScopes.append(own) }
        state.allScopes.append(own)
      }
      var inner = context
      inner.scopes.insert(own, at: 0)
      var isSuspended = scope.isSuspended
      for step in scope.steps {
        if isSuspended, !step.isAddition {
          await queue.resume()
          isSuspended = false
        }
        try await perform(step, inner)
      }
    }
  }

  func perform(_ steps: [NestedProgram.Step], inChildTaskOf context: Context) async throws {
    var inner = context
    inner.slot = nil
    inner.isChildTask = true
    async let child: Void = perform(steps, inner)
    try await child
  }

  func retry(_ steps: [NestedProgram.Step], _ failures: Int, pause: Duration, _ context: Context) async throws {
    // The slot is lent in the pause that may follow.
    var hasFailed = false
    defer { if hasFailed { enter(context.slot) } }
    try await withOperationRetry(.constant(pause, attempts: failures + 1), clock: clock) { attempt in
      if hasFailed { enter(context.slot) }
      hasFailed = false
      do {
        try await perform(steps, context)
        if attempt <= failures { throw Failure() }
      } catch {
        leave(context.slot)
        hasFailed = true
        throw error
      }
    }
  }
}

extension NestedProgram.Step {
  /// Whether it does nothing but add an operation.
  fileprivate var isAddition: Bool {
    switch self {
    case .add, .addBarrier: true
    default: false
    }
  }
}
