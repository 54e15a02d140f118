import StructuredOperations
import TestSupport

// What waits for nothing: additions, dependencies, tasks elsewhere.
extension NestedRun {
  func limits(of plan: NestedProgram.Plan) -> [ConcurrencyLimit] { plan.limits.keys.sorted().map { limits[$0] } }

  func nextName() -> String {
    state.withLock { state in
      state.nameCount += 1
      return "\(state.nameCount)"
    }
  }

  func register(_ operation: AsyncOperation<Void>) { state.withLock { $0.operations.append(operation) } }

  /// The context of a body, in that of the step which has it run.
  func context(
    of operation: AsyncOperation<Void>?,
    _ slot: Slot,
    in outer: Context
  ) -> Context {
    var context = outer
    if let operation { context.around.insert(operation, at: 0) }
    if let site = slot.site, site.isScope { context.scopes.insert(site, at: 0) }
    context.slot = slot
    context.isBody = true
    return context
  }

  /// Makes an operation, which others may wait for from now on, so it has to be run.
  ///
  /// - Parameter home: The queue that will have taken it when its body begins.
  func make(
    _ plan: NestedProgram.Plan,
    home: Locked<Site?>,
    _ context: Context
  ) async -> AsyncOperation<Void> {
    let own = Locked<AsyncOperation<Void>?>(nil)
    let costs = Locked<[Int: Int]>([:])
    let operation = AsyncOperation<Void>(name: nextName()) {
      let slot = Slot(site: home.current, limits: costs.current)
      try await self.perform(plan.body, self.context(of: own.current, slot, in: context))
    }
    own.withLock { $0 = operation }
    for pick in plan.dependencies {
      await link(operation, to: self.operation(pick, context, opener: home.current?.opener), plan.requiresSuccess)
    }
    for (limit, cost) in plan.limits.sorted(by: { $0.key < $1.key }) {
      // Refused where the count is below the cost just now.
      let isAdded = try? await operation.addLimit(limits[limit], cost: cost)
      if isAdded == true { costs.withLock { $0[limit] = cost } }
    }
    register(operation)
    return operation
  }

  func add(_ plan: NestedProgram.Plan, to site: Site, _ context: Context) async {
    let home = Locked<Site?>(site)
    let operation = await make(plan, home: home, context)
    if await site.queue.add(operation) { return site.taken.append(operation) }
    await add(operation, insteadOf: home)
  }

  /// Adds an operation that a scope has refused, or that could not be started.
  func add(_ operation: AsyncOperation<Void>, insteadOf home: Locked<Site?>) async {
    home.withLock { $0 = queues[0] }
    await queues[0].queue.add(operation)
  }

  func addBarrier(
    _ plan: NestedProgram.Plan,
    to site: Site,
    isCancelled: Bool,
    _ context: Context
  ) async {
    let own = Locked<AsyncOperation<Void>?>(nil)
    let slot = Slot(site: site, limits: plan.limits, isBarrier: true)
    let barrier = await site.queue.addBarrier(name: nextName(), limits: limits(of: plan)) {
      try await self.perform(plan.body, self.context(of: own.current, slot, in: context))
    }
    own.withLock { if !barrier.isFinished { $0 = barrier } }
    register(barrier)
    if isCancelled { barrier.cancel() }
    for pick in plan.dependencies {
      await link(barrier, to: operation(pick, context, opener: site.opener), plan.requiresSuccess)
    }
  }

  func link(_ operation: AsyncOperation<Void>?, to other: AsyncOperation<Void>?, _ requiresSuccess: Bool) async {
    guard let operation, let other else { return }
    do {
      try await operation.addDependency(other, requiring: requiresSuccess ? .success : .completion)
    } catch OperationError.dependencyCycle {
      foundLoop()
    } catch OperationError.dependencyOnSelf {
    } catch {
      found("\(error)")
    }
  }

  func perform(
    _ steps: [NestedProgram.Step],
    elsewhereThan context: Context,
    _ cancelledAfter: Int?
  ) async {
    var outside = context
    outside.slot = nil
    outside.isBody = false
    let task = Task(executorPreference: executor) { [outside] in await self.performAll(steps, outside) }
    state.withLock { $0.tasks.append(task) }
    guard let cancelledAfter else { return }
    for _ in 0..<cancelledAfter { await Task.yield() }
    task.cancel()
  }
}
