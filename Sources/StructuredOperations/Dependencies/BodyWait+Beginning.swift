extension BodyWait {
  /// What comes of a wait that a task wants to begin.
  enum Beginning {
    /// The task is not a body's own: it has no slot to release.
    case unrestricted
    /// The slot is released, unless the wait is over already; ``untilResumed()`` has to follow.
    case begun(BodyWait)
    /// The wait could never end.
    case deadlock(Loop)

    var isUnrestricted: Bool { if case .unrestricted = self { true } else { false } }
  }

  /// Begins to wait for operations, where the calling task is a body's own.
  ///
  /// - Parameters:
  ///   - operations: Asked for only there: most waits are those of other tasks, which need no array.
  ///   - runsAwaited: Whether that task runs them itself.
  nonisolated(nonsending) static func begin(
    for operations: @autoclosure () -> [any OperationProtocol],
    runsAwaited: Bool = false
  ) async -> Beginning {
    let beginning = register(for: operations(), runsAwaited: runsAwaited)
    if case .begun(let wait) = beginning { await wait.releaseSlot() }
    return beginning
  }

  /// The same, but for the release of the slot, which has to follow.
  static func register(
    for operations: @autoclosure () -> [any OperationProtocol],
    runsAwaited: Bool = false
  ) -> Beginning {
    guard let context = ExecutionContext.ofOwnTask else { return .unrestricted }
    let operations = operations()
    if operations.isEmpty { return .unrestricted }
    let wait = BodyWait(of: context, for: .operations(operations), runsAwaited: runsAwaited)
    if let loop = DependencyGraph.begin(wait) { return .deadlock(loop) }
    return .begun(wait)
  }

  /// - Parameter barrier: See ``DependencyGraph/begin(_:for:)``.
  nonisolated(nonsending) static func begin(
    _ wait: BodyWait,
    for barrier: (storage: OperationStorage, ahead: [OperationStorage])? = nil
  ) async -> Beginning {
    if let loop = DependencyGraph.begin(wait, for: barrier) { return .deadlock(loop) }
    await wait.releaseSlot()
    return .begun(wait)
  }

  /// Waits until operations have finished, where the calling task is a body's own.
  ///
  /// - Returns: How the wait ended; nil if the task is not a body's own.
  nonisolated(nonsending) static func wait(
    for operations: @autoclosure () -> [any OperationProtocol]
  ) async -> Progress.End? {
    switch await begin(for: operations()) {
    case .unrestricted: nil
    case .deadlock(let loop): .deadlock(loop)
    case .begun(let wait): await wait.untilResumed()
    }
  }
}

extension BodyWaitProgress.End where Loop == BodyWait.Loop {
  /// Stops the program where the wait would deadlock and its function cannot throw.
  func orStop(_ function: String) {
    guard case .deadlock(let loop) = self else { return }
    fatalError("\(function) would never return: \(OperationError.loop(loop))")
  }
}
