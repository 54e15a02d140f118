extension OperationCore {
  /// What is left to do when an operation has finished for all to see.
  struct End: Sendable {
    let dependents: [Dependent]
    let hasSucceeded: Bool
    let completionBlock: CompletionBlock?
    /// What the operation let go of, to be freed with this value, outside of locks.
    fileprivate let work: Work
    fileprivate let dependencies: [Dependencies.Entry]
    fileprivate let host: (any OperationHost)?
  }

  /// Runs the body in the calling task, which nothing else may run in until this returns.
  ///
  /// - Returns: What the body came to; nil where it did not run, since the operation had been cancelled.
  func run(
    as operation: any OperationProtocol,
    in host: (any OperationHost)?,
    under queueExecutor: (any TaskExecutor)?
  ) async -> Result<any Sendable, any Error>? {
    var body = withUnsafeCurrentTask { task in task.flatMap { begin(in: BodyTask($0)) } }
    guard body != nil else { return nil }
    let context = ExecutionContext(operation: operation, host: host)
    let result = await ExecutionContext.$current.withValue(context) {
      await Self.result(of: &body, under: executor ?? queueExecutor)
    }
    await endBody()
    return result
  }

  /// Runs a body and frees it.
  private static func result(
    of body: inout OperationBody?,
    under executor: (any TaskExecutor)?
  ) async -> Result<any Sendable, any Error> {
    defer { body = nil }
    do {
      guard let output = try await body?.run(under: executor) else { preconditionFailure("an operation lost its body") }
      return .success(output)
    } catch {
      return .failure(error)
    }
  }

  /// Marks the operation as executing while the caller runs its body in a task of its own, which nobody may cancel.
  ///
  /// - Returns: Whether the body runs; not where the operation had been cancelled.
  func beginInCaller() -> Bool {
    change { state in
      guard state.lifecycle.begin() else { return false }
      state.work = .taken
      return true
    }
  }

  private func begin(in task: BodyTask) -> OperationBody? {
    change { state in
      guard state.lifecycle.begin() else { return nil }
      guard case .body(let body) = state.work else { preconditionFailure("an operation runs twice") }
      state.bodyTask.begin(task)
      state.work = .taken
      return body
    }
  }

  /// Waits until nobody uses the handle of the body's task any more.
  private func endBody() async {
    if change({ $0.bodyTask.end() }) { return }
    await withCheckedContinuation { waiter in
      if !change({ $0.bodyTask.park(waiter) }) { waiter.resume() }
    }
  }

  /// Finishes the operation for all to see. The caller tells the dependents, then calls ``settle()``.
  ///
  /// - Parameter result: Nil where the body did not run.
  func conclude(_ result: Result<any Sendable, any Error>?) -> End {
    let unrunOutcome = result == nil ? failureOfDependency() : nil
    return change { state in
      let outcome: OperationOutcome<any Sendable>
      switch result {
      case .success(let output): outcome = .success(output)
      case .failure(let error):
        outcome = error is CancellationError && state.lifecycle.isCancelled ? .cancelled : .failure(error)
      case nil: outcome = state.lifecycle.isCancelled ? .cancelled : unrunOutcome ?? .cancelled
      }
      state.lifecycle.conclude()
      let work = state.work
      state.work = .outcome(outcome)
      state.entry = nil
      let dependencies = state.dependencies.removeAll()
      state.pastDependencies = dependencies.map { PastDependency(operation: $0.operation) }
      return End(
        dependents: state.dependents.removeEach(), hasSucceeded: outcome.isSuccess,
        completionBlock: state.completionBlock.take(), work: work,
        dependencies: dependencies, host: state.host.take())
    }
  }

  /// The end is over: whoever waits goes on.
  func settle() {
    let waiters = change { state in
      state.lifecycle.settle()
      return state.waiters.removeEach()
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Why the operation does not run, where that is for a dependency.
  private func failureOfDependency() -> OperationOutcome<any Sendable>? {
    guard let dependency = read({ $0.dependencies.firstFailed }) else { return nil }
    let error: any Error =
      switch dependency.core.outcome {
      case .failure(OperationError.dependencyFailed(let root, let error)):
        OperationError.dependencyFailed(on: root, underlying: error)
      case .failure(let error):
        OperationError.dependencyFailed(on: dependency, underlying: error)
      case .cancelled, .success, nil:
        OperationError.dependencyFailed(on: dependency, underlying: CancellationError())
      }
    return .failure(error)
  }
}

extension OperationOutcome {
  fileprivate var isSuccess: Bool {
    switch self {
    case .success: true
    case .failure, .cancelled: false
    }
  }
}
