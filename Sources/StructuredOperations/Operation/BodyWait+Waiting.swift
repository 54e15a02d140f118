extension BodyWait {
  /// What comes of a wait that a task wants to begin.
  enum Beginning {
    /// The task is no body's own: it may wait as it likes.
    case unrestricted
    /// The slot is lent, and ``untilGoingOn()`` has to follow.
    case begun(BodyWait)
    /// The wait could never end.
    case deadlock(Loop)
  }

  /// Begins to wait for operations, where the calling task is a body's own.
  nonisolated(nonsending) static func begin(for operations: [any OperationProtocol]) async -> Beginning {
    guard !operations.isEmpty, let context = ExecutionContext.ofOwnTask else { return .unrestricted }
    return await begin(BodyWait(of: context, for: .operations(operations)))
  }

  nonisolated(nonsending) static func begin(_ wait: BodyWait) async -> Beginning {
    if let loop = DependencyGraph.begin(wait) { return .deadlock(loop) }
    await wait.host?.lendSlot(for: wait)
    return .begun(wait)
  }

  /// Waits until operations have finished, where the calling task is a body's own.
  ///
  /// - Returns: How the wait ended; nil where it is no body's own task, which waits as it likes.
  nonisolated(nonsending) static func wait(for operations: [any OperationProtocol]) async -> Progress.End? {
    switch await begin(for: operations) {
    case .unrestricted: nil
    case .deadlock(let loop): .deadlock(loop)
    case .begun(let wait): await wait.untilGoingOn()
    }
  }
}

extension BodyWaitProgress.End where Loop == BodyWait.Loop {
  /// Stops the program where the wait was found never to end and there is no way to say so.
  func orStop(_ function: String) {
    guard case .deadlock(let loop) = self else { return }
    fatalError("\(function) would never return: \(OperationError.loop(loop))")
  }
}
