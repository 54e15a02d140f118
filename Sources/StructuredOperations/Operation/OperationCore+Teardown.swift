extension OperationCore {
  /// The operation goes away, and nobody can run it any more if it has not run: lets go of everything that it holds,
  /// and ends its observers' sequences.
  func abandon() {
    if forgetOutcome() { return }
    IterativeRelease.release(dismantle())
  }

  /// The queue may hold the core for a while, but the output only is there for those who hold the operation.
  ///
  /// - Returns: Whether the operation has finished.
  private func forgetOutcome() -> Bool {
    let (isFinished, _) = change { state -> (Bool, Work?) in
      guard state.lifecycle.isFinished else { return (false, nil) }
      return (true, state.isSource ? nil : state.exchangeWork(for: .taken(.none)))
    }
    return isFinished
  }

  /// - Returns: What the operation depended on. It stands in nothing else on return, so that whoever frees it decides
  ///   how.
  private func dismantle() -> [AnyObject] {
    // Whoever still depended on the operation would hold it, so its dependents are gone, too.
    let (dependencies, channels, work, _, _) = change { state in
      let work = state.work
      if case .body = work { state.work = .taken(.none) }
      return (
        state.takeDependencies(), state.hasObservers ? state.observers.removeAll() : [], work,
        state.completionBlock.take(),
        state.takeDependents()
      )
    }
    for channel in channels { channel.end() }
    // The body in a box, since it may hold operations, too.
    return dependencies.map { $0.operation } + [WorkBox(work: work)]
  }

  private final class WorkBox {
    let work: Work

    init(work: Work) {
      self.work = work
    }
  }
}
