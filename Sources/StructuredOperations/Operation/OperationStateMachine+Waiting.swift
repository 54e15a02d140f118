// Those who wait for the operation.
extension OperationStateMachine {
  /// - Returns: Whether the waiter will be resumed; false if everyone has been told of the end.
  mutating func addWaiter(_ waiter: FinishWaiter) -> Bool {
    if isEveryoneTold { return false }
    connections.change { $0.waiters.append(waiter) }
    return true
  }

  /// The task of a waiter was cancelled.
  ///
  /// - Returns: The waiter, which the caller resumes. Nil where there is none, and where the operation is published as
  ///   finished: then the waiter is told of that.
  mutating func removeWaiter(cancelledWith task: BodyTask) -> FinishWaiter? {
    if isFinished { return nil }
    return connections.changeIfPresent { $0.waiters.remove(task) }?.flatMap(\.self)
  }

  /// - Returns: Whether the wait will be told; false if everyone has been told of the end.
  mutating func addWaitingBody(_ wait: BodyWait) -> Bool {
    if isEveryoneTold { return false }
    changeRare { $0.waitingBodies.append(wait) }
    return true
  }

  /// Undoes ``addWaitingBody(_:)``.
  mutating func removeWaitingBody(_ wait: BodyWait) -> BodyWait? {
    connections.changeIfPresent { connections in
      connections.rare.changeIfPresent { rare in
        rare.waitingBodies.firstIndex { $0 === wait }.map { rare.waitingBodies.remove(at: $0) }
      }
    }?.flatMap(\.self)?.flatMap(\.self)
  }

  /// The bodies that wait for the operation; some of their waits may be over.
  var waitingBodies: [BodyWait] { connections.read { $0.rare.read(\.waitingBodies) ?? [] } ?? [] }
}
