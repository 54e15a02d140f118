import StructuredOperations

extension Program.Step {
  /// The operations that the step refers to.
  var operations: [Int] {
    switch self {
    case .add(let id, _, _), .cancel(let id), .start(let id), .observe(let id, _), .wait(let id), .value(let id, _),
      .priority(let id, _), .release(let id), .completionBlock(let id), .addLimit(let id, _):
      [id]
    case .batch(let ids, _, _): ids
    case .depend(let id, let other, _), .undepend(let id, let other): [id, other]
    case .barrier, .barrierCall, .cancelBarrier, .call, .cancelCall, .cancelValue, .close, .cancelAll, .suspend,
      .resume, .limit, .waitForAll, .cancelScope, .pause, .settle, .setCount, .suspendFor, .startRate, .sleep:
      []
    }
  }

  /// Whether the step adds operations to a queue.
  var isAdding: Bool {
    switch self {
    case .add, .batch: true
    default: false
    }
  }

  /// The step without an operation; nil if nothing is left of it.
  func leavingOut(_ id: Int) -> Self? {
    guard operations.contains(id) else { return self }
    guard case .batch(let ids, let queue, let form) = self else { return nil }
    let rest = ids.filter { $0 != id }
    return rest.isEmpty ? nil : .batch(rest, queue: queue, form)
  }

  /// The step without the concurrency limits of a barrier or a call; nil if it has none.
  var withoutLimits: Self? {
    switch self {
    case .barrier(let id, let queue, let yields, let isThrowing, let limits) where !limits.isEmpty:
      .barrier(id, queue: queue, yields: yields, isThrowing: isThrowing)
    case .barrierCall(let id, let queue, let yields, let isThrowing, let limits) where !limits.isEmpty:
      .barrierCall(id, queue: queue, yields: yields, isThrowing: isThrowing)
    case .call(let id, let queue, let yields, let isThrowing, let limits) where !limits.isEmpty:
      .call(id, queue: queue, yields: yields, isThrowing: isThrowing)
    default: nil
    }
  }
}
