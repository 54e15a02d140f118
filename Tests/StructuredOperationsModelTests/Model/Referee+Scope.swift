import StructuredOperations

// The scope of the first queue, and what its failure policy says.
extension Referee {
  mutating func scopeCancelled() {
    wasScopeCancelled = true
    cancelScope()
  }

  private mutating func cancelScope() {
    queues[0].free()
    queues[0].isCancelled = true
    mayBeCancelled()
  }

  private mutating func mayBeCancelled() {
    let now = now
    for (id, model) in operations where model.queue == 0 {
      update(id) { $0.cancelAllCalled = $0.cancelAllCalled ?? now }
    }
    for index in queues[0].barriers.indices { queues[0].barriers[index].mayBeCancelled = true }
  }

  // MARK: Failures

  /// Something has happened that may make an operation of the scope fail, perhaps because of a dependency.
  mutating func mayFail() {
    guard program.cancelsOnFailure, !queues[0].mayHaveFailed else { return }
    queues[0].mayFail()
    mayBeCancelled()
  }

  /// A barrier or a call is about to fail: see ``ProgramRun/Failure`` for its identifier.
  mutating func mayFail(_ id: Int, in queue: Int) {
    if queue == 0 { failing[id] = now }
    mayFail()
  }

  /// Something has failed, and those who wait for it know.
  mutating func failed(_ id: Int, in queue: Int) {
    guard queue == 0, program.cancelsOnFailure else { return }
    failures[id] = now
    if firstFailure == nil { firstFailure = id }
    cancelScope()
  }

  // MARK: The end

  mutating func scopeEnded(_ finished: Set<Int>, _ result: Event.ScopeResult) {
    for (id, model) in operations where model.queue == 0 && !finished.contains(id) {
      fault("the scope ended before \(id) had finished")
    }
    if queues[0].running > 0 { fault("the scope ended while \(queues[0].running) ran") }
    scopeResult = result
    isScopeCancellationCertain = wasScopeCancelled
  }

  /// Checks how the scope has come back.
  mutating func checkScope() {
    guard let scopeResult, let scope = program.scope else { return }
    // A failure of the scope's own body comes first, then that of an operation, then the cancellation.
    let hasFailed = program.cancelsOnFailure && !failures.isEmpty
    let isRight =
      switch scopeResult {
      case .thrown: scope == .throwing
      case .failed(let ids): scope == .returning && hasFailed && mayBeFirst(ids)
      case .cancelled: scope == .returning && !hasFailed && isScopeCancellationCertain
      case .returned: scope == .returning && !hasFailed && !isScopeCancellationCertain
      }
    if !isRight { fault("the scope came to \(scopeResult), after the failures \(failures.keys.sorted())") }
  }

  /// Whether one of these may have been the first to fail: no other was known to have failed before its body ended.
  private func mayBeFirst(_ ids: Set<Int>) -> Bool {
    ids.contains { id in
      guard failures[id] != nil else { return false }
      guard let ended = failing[id] ?? operations[id]?.ended else { return true }
      return !failures.contains { $0.key != id && $0.value < ended }
    }
  }
}
