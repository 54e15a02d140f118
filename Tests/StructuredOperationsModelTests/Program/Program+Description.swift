import StructuredOperations

extension Program: CustomStringConvertible {
  /// The program as Swift source, ready to become a regression test.
  var description: String {
    var lines = ["Program("]
    lines.append("  queues: [")
    for queue in queues {
      lines.append(
        "    .init(limit: \(queue.limit), isSuspended: \(queue.isSuspended), rate: \(Self.source(queue.rate))),")
    }
    lines.append("  ],")
    lines.append("  operations: [")
    for plan in operations { lines.append("    \(plan),") }
    lines.append("  ],")
    lines.append("  scripts: [")
    for script in scripts {
      lines.append("    [")
      for step in script { lines.append("      \(step.source),") }
      lines.append("    ],")
    }
    lines.append(
      "  ], scope: \(scope.map { ".\($0)" } ?? "nil"), features: \(features), cancelsOnFailure: \(cancelsOnFailure), "
        + "limits: \(limits), isObserved: \(isObserved))")
    return lines.joined(separator: "\n")
  }
}

extension Program {
  fileprivate static func source(_ rate: Rate?) -> String {
    rate.map { ".init(count: \($0.count), milliseconds: \($0.milliseconds))" } ?? "nil"
  }
}

extension Program.LimitCost: CustomStringConvertible {
  var description: String { ".init(limit: \(limit), cost: \(cost))" }
}

extension Program.TimePlan: CustomStringConvertible {
  var description: String {
    ".init(sleep: \(sleep), isDeaf: \(isDeaf), timeout: \(timeout.map(String.init) ?? "nil"), attempts: \(attempts), "
      + "failures: \(failures), pause: \(pause), growth: .\(growth), "
      + "waitTimeout: \(waitTimeout.map(String.init) ?? "nil"))"
  }
}

extension Program.OperationPlan: CustomStringConvertible {
  var description: String {
    let list = dependencies.map { ".init(on: \($0.on), requirement: .\($0.requirement))" }.joined(separator: ", ")
    return ".init(id: \(id), body: .\(body), yields: \(yields), priority: .\(priority), dependencies: [\(list)], "
      + "home: \(home.map(String.init) ?? "nil"), waitsFor: \(waitsFor.map(String.init) ?? "nil"), "
      + "wait: .\(wait), barrierCall: \(barrierCall.map { ".\($0)" } ?? "nil"), limits: \(limits), "
      + "time: \(time.map { "\($0)" } ?? "nil"))"
  }
}

extension Program.Step {
  /// The step as Swift source.
  var source: String {
    switch self {
    case .add(let id, let queue, let form): ".add(\(id), queue: \(queue), .\(form))"
    case .batch(let ids, let queue, let form): ".batch(\(ids), queue: \(queue), .\(form))"
    case .barrier(let id, let queue, let yields, let isThrowing, let limits):
      ".barrier(\(id), queue: \(queue), yields: \(yields), isThrowing: \(isThrowing), limits: \(limits))"
    case .barrierCall(let id, let queue, let yields, let isThrowing, let limits):
      ".barrierCall(\(id), queue: \(queue), yields: \(yields), isThrowing: \(isThrowing), limits: \(limits))"
    case .cancelBarrier(let id): ".cancelBarrier(\(id))"
    case .call(let id, let queue, let yields, let isThrowing, let limits):
      ".call(\(id), queue: \(queue), yields: \(yields), isThrowing: \(isThrowing), limits: \(limits))"
    case .cancelCall(let id): ".cancelCall(\(id))"
    case .close(let queue): ".close(queue: \(queue))"
    case .depend(let id, let other, let requirement): ".depend(\(id), on: \(other), .\(requirement))"
    case .undepend(let id, let other): ".undepend(\(id), on: \(other))"
    case .cancel(let id): ".cancel(\(id))"
    case .cancelAll(let queue): ".cancelAll(queue: \(queue))"
    case .suspend(let queue): ".suspend(queue: \(queue))"
    case .resume(let queue): ".resume(queue: \(queue))"
    case .limit(let limit, let queue): ".limit(\(limit), queue: \(queue))"
    case .addLimit(let id, let limit): ".addLimit(\(id), \(limit))"
    case .setCount(let count, let limit): ".setCount(\(count), limit: \(limit))"
    case .suspendFor(let milliseconds, let queue): ".suspendFor(\(milliseconds), queue: \(queue))"
    case .startRate(let rate, let queue): ".startRate(\(Program.source(rate)), queue: \(queue))"
    case .sleep(let milliseconds): ".sleep(\(milliseconds))"
    case .start(let id): ".start(\(id))"
    case .observe(let id, let count): ".observe(\(id), upTo: \(count.map(String.init) ?? "nil"))"
    case .wait(let id): ".wait(\(id))"
    case .value(let id, let reader): ".value(\(id), reader: \(reader))"
    case .cancelValue(let reader): ".cancelValue(reader: \(reader))"
    case .waitForAll(let queue): ".waitForAll(queue: \(queue))"
    case .priority(let id, let priority): ".priority(\(id), .\(priority))"
    case .release(let id): ".release(\(id))"
    case .completionBlock(let id): ".completionBlock(\(id))"
    case .cancelScope: ".cancelScope"
    case .pause(let yields): ".pause(\(yields))"
    case .settle: ".settle"
    }
  }
}
