import StructuredOperations
import TestSupport

// What each step does.
extension NestedRun {
  // MARK: What is meant

  func operation(
    _ pick: NestedProgram.Pick,
    _ context: Context,
    opener: AsyncOperation<Void>? = nil
  ) -> AsyncOperation<Void>? {
    if let count = context.olderCount { return older(pick, count) }
    return switch pick {
    case .around(let number): context.around.isEmpty ? nil : context.around[number % context.around.count]
    case .outermost: context.around.last
    case .opener: opener ?? context.scopes.first?.opener
    case .recent(let number): newest(number)
    case .any(let number): newest(number)
    }
  }

  private func newest(_ number: Int) -> AsyncOperation<Void>? {
    state.withLock { $0.operations.isEmpty ? nil : $0.operations.reversed()[number % $0.operations.count] }
  }

  private func older(_ pick: NestedProgram.Pick, _ count: Int) -> AsyncOperation<Void>? {
    let number =
      switch pick {
      case .around(let number), .recent(let number), .any(let number): number
      case .opener, .outermost: 0
      }
    return count == 0 ? nil : state.withLock { $0.operations[number % count] }
  }

  func site(_ place: NestedProgram.Place, _ context: Context) -> Site {
    let (sites, number) =
      switch place {
      case .queue(let number): (queues, number)
      case .around(let number): (context.scopes, number)
      case .open(let number): (program.isCyclic ? state.withLock { $0.openScopes.reversed() } : context.scopes, number)
      }
    return sites.isEmpty ? queues[number % queues.count] : sites[number % sites.count]
  }

  // MARK: Steps

  /// Performs steps outside of bodies, and goes on after errors.
  func performAll(_ steps: [NestedProgram.Step], _ context: Context) async {
    for step in steps {
      do { try await perform(step, context) } catch { check(error) }
    }
  }

  func perform(_ body: NestedProgram.Body, _ context: Context) async throws {
    enter(context.slot)
    defer { leave(context.slot) }
    for step in body.steps {
      do {
        try await perform(step, context)
      } catch {
        check(error)
        if !body.goesOn { throw error }
      }
    }
  }

  func perform(_ steps: [NestedProgram.Step], _ context: Context) async throws {
    for step in steps { try await perform(step, context) }
  }

  func perform(_ step: NestedProgram.Step, _ context: Context) async throws {
    switch step {
    case .yield(let count): for _ in 0..<count { await Task.yield() }
    case .sleep(let count): try? await clock.sleep(for: Self.duration(count))
    case .fail: throw Failure()
    case .add(let plan, let place): await add(plan, to: site(place, context), context)
    case .addBarrier(let plan, let place, let isCancelled):
      await addBarrier(plan, to: site(place, context), isCancelled: isCancelled, context)
    case .elsewhere(let steps, let cancelledAfter): await perform(steps, elsewhereThan: context, cancelledAfter)
    case .start(let plan): try await start(plan, context)
    case .value(let pick): try await waitForValue(of: operation(pick, context), context)
    case .all(let place):
      try await waitForAll(in: site(place, context), context) { await $0.waitUntilAllOperationsAreFinished() }
    case .current(let place):
      try await waitForAll(in: site(place, context), context) { await $0.waitForCurrentOperations() }
    case .run(let plan, let place): try await run(plan, in: site(place, context), context)
    case .runBarrier(let plan, let place): try await runBarrier(plan, in: site(place, context), context)
    case .scope(let scope): try await open(scope, context)
    case .lend(let steps):
      var inner = context
      inner.slot = nil
      try await waiting(context) { try await withLentSlot { try await perform(steps, inner) } }
    case .childTask(let steps): try await perform(steps, inChildTaskOf: context)
    case .timeout(let count, let steps):
      try await withOperationTimeout(Self.duration(count), clock: clock) { try await perform(steps, context) }
    case .retry(let steps, let failures, let pause):
      try await retry(steps, failures, pause: Self.duration(pause), context)
    case .link(let pick, let other, let requiresSuccess):
      await link(operation(pick, context), to: operation(other, context), requiresSuccess)
    case .unlink(let pick, let other):
      if let other = operation(other, context) { await operation(pick, context)?.removeDependency(other) }
    case .cancel(let pick): operation(pick, context)?.cancel()
    case .cancelAll(let place): await site(place, context).queue.cancelAllOperations()
    case .suspendFor(let count, let place): await site(place, context).queue.suspend(for: Self.duration(count))
    case .suspend(let place): await site(place, context).queue.suspend()
    case .resume(let place): await site(place, context).queue.resume()
    case .width(let width, let place):
      let site = site(place, context)
      try await site.queue.setMaxConcurrentOperationCount(min(width, site.width))
    case .rate(let count, let place): await site(place, context).queue.setStartRate(count.map(Self.rate))
    case .count(let count, let limit): limits[limit].setCount(min(count, program.limits[limit]))
    }
  }
}
