import StructuredOperations

extension OperationProtocol {
  /// Starts to observe the operation; the task returns all states received.
  nonisolated func history() -> Task<[OperationSnapshot], Never> {
    let states = states
    return Task {
      var history: [OperationSnapshot] = []
      for await snapshot in states { history.append(snapshot) }
      return history
    }
  }

  /// Suspends until the operation is in a state.
  nonisolated func reaches(_ state: OperationState) async {
    for await snapshot in states where snapshot.state == state { return }
  }
}

/// A short description of a snapshot: `pending`, or `ready*` if it is cancelled, and so on.
func short(_ snapshot: OperationSnapshot) -> String {
  "\(snapshot.state)\(snapshot.isCancelled ? "*" : "")"
}

/// Describes what is wrong with the states that an observer received; nil if nothing is.
func fault(in history: [OperationSnapshot]) -> String? {
  func rank(_ state: OperationState) -> Int {
    switch state {
    case .pending: 0
    case .ready: 1
    case .executing: 2
    case .finished: 3
    }
  }
  if history.last?.isFinished != true { return "no end" }
  if history.filter(\.isFinished).count != 1 { return "two ends" }
  for (one, next) in zip(history, history.dropFirst()) {
    if one == next { return "\(short(one)) twice" }
    if one.isCancelled, !next.isCancelled { return "uncancelled" }
    if one.isCancelled != next.isCancelled, next.isFinished { return "cancelled by its end" }
    let isRetreat = one.state == .ready && next.state == .pending && !next.isCancelled
    if rank(next.state) < rank(one.state), !isRetreat { return "\(short(one)) to \(short(next))" }
    if one.state == .pending, next.state == .executing || next.isFinished { return "\(short(one)) to \(short(next))" }
  }
  return nil
}
