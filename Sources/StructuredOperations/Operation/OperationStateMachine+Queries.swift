// How the operation stands.
extension OperationStateMachine {
  var snapshot: OperationSnapshot {
    let publicState: OperationState =
      switch state {
      case .idle, .enqueued: readiness == .blocked ? .pending : .ready
      case .claimed: .ready
      case .executing: .executing
      case .finishing, .finished: .finished
      }
    return OperationSnapshot(state: publicState, isCancelled: isCancelled)
  }

  /// What readers of the states see; nil in `finishing`, since they see the finish only when the queue has let it go.
  ///
  /// Not inlined: few operations have readers.
  var observedSnapshot: OperationSnapshot? {
    @inline(never) get { if case .finishing = state { nil } else { snapshot } }
  }

  /// How a queue has to treat the operation, as long as nobody has claimed it.
  var readiness: OperationReadiness {
    if isCancelled { return .skipped }
    return connections.read(\.dependencies.readiness) ?? .ready
  }

  /// The same; nil once the operation is claimed.
  var unclaimedReadiness: OperationReadiness? { isUnclaimed ? readiness : nil }

  /// Whether dependencies still matter, and the priority, which does longer where the operation was started by hand: see
  /// ``mayMoveAsStarted``.
  var isUnclaimed: Bool {
    switch state {
    case .idle, .enqueued: true
    case .claimed, .executing, .finishing, .finished: false
    }
  }

  var isFinished: Bool {
    switch state {
    case .idle, .enqueued, .claimed, .executing: false
    case .finishing, .finished: true
    }
  }

  /// Whether the queue and the dependents have been told of the end, so that waiters may resume.
  var isEveryoneTold: Bool { if case .finished = state { true } else { false } }

  /// Nil until the operation has finished.
  var outcome: ErasedOutcome? {
    switch state {
    case .idle, .enqueued, .claimed, .executing: nil
    case .finishing(let end), .finished(let end): end.outcome
    }
  }

  /// The operation and its queue; nil outside of queues, and once it has finished.
  var assignment: Assignment? {
    switch state {
    case .idle, .finishing, .finished: nil
    case .enqueued(_, let assignment): assignment
    case .claimed(_, let assignment): assignment
    case .executing(let execution): execution.assignment
    }
  }

  /// What the body's own task waits for.
  var wait: BodyWait? {
    if case .executing(let execution) = state { execution.wait } else { nil }
  }

  /// Whether another operation depends on this one, or its body waits for it.
  var isAwaitedByOperations: Bool {
    connections.read { connections in
      !connections.dependents.isEmpty || connections.rare.read { !$0.waitingBodies.isEmpty } ?? false
    } ?? false
  }
}
