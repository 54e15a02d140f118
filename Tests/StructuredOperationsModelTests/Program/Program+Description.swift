import StructuredOperations

extension Program: CustomStringConvertible {
  /// The program as Swift source, ready to become a regression test.
  var description: String {
    var lines = ["Program("]
    lines.append("  queues: [")
    for queue in queues { lines.append("    .init(limit: \(queue.limit), isSuspended: \(queue.isSuspended)),") }
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
      "  ], scope: \(scope.map { ".\($0)" } ?? "nil"), features: \(features), cancelsOnFailure: \(cancelsOnFailure))")
    return lines.joined(separator: "\n")
  }
}

extension Program.OperationPlan: CustomStringConvertible {
  var description: String {
    let list = dependencies.map { ".init(on: \($0.on), requirement: .\($0.requirement))" }.joined(separator: ", ")
    return ".init(id: \(id), body: .\(body), yields: \(yields), priority: .\(priority), dependencies: [\(list)], "
      + "home: \(home.map(String.init) ?? "nil"), waitsFor: \(waitsFor.map(String.init) ?? "nil"), "
      + "wait: .\(wait), barrierCall: \(barrierCall.map { ".\($0)" } ?? "nil"))"
  }
}

extension Program.Step {
  /// The step as Swift source.
  var source: String {
    switch self {
    case .add(let id, let queue, let form): ".add(\(id), queue: \(queue), .\(form))"
    case .batch(let ids, let queue, let form): ".batch(\(ids), queue: \(queue), .\(form))"
    case .barrier(let id, let queue, let yields, let isThrowing):
      ".barrier(\(id), queue: \(queue), yields: \(yields), isThrowing: \(isThrowing))"
    case .barrierCall(let id, let queue, let yields, let isThrowing):
      ".barrierCall(\(id), queue: \(queue), yields: \(yields), isThrowing: \(isThrowing))"
    case .cancelBarrier(let id): ".cancelBarrier(\(id))"
    case .call(let id, let queue, let yields, let isThrowing):
      ".call(\(id), queue: \(queue), yields: \(yields), isThrowing: \(isThrowing))"
    case .cancelCall(let id): ".cancelCall(\(id))"
    case .close(let queue): ".close(queue: \(queue))"
    case .depend(let id, let other, let requirement): ".depend(\(id), on: \(other), .\(requirement))"
    case .undepend(let id, let other): ".undepend(\(id), on: \(other))"
    case .cancel(let id): ".cancel(\(id))"
    case .cancelAll(let queue): ".cancelAll(queue: \(queue))"
    case .suspend(let queue): ".suspend(queue: \(queue))"
    case .resume(let queue): ".resume(queue: \(queue))"
    case .limit(let limit, let queue): ".limit(\(limit), queue: \(queue))"
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
