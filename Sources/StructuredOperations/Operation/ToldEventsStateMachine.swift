/// Decides which events are new to the observers of one operation.
///
/// It is told how the operation stands after each change, and compares that with what was told. So no transition needs an
/// event of its own, and none is forgotten.
struct ToldEventsStateMachine: Sendable {
  /// How the operation stands.
  struct Stage: Sendable {
    /// Whether it is, or was, in a queue.
    var isAdded = false
    /// Nil once it is chosen.
    var readiness: OperationReadiness?
    /// Whether the body has begun.
    var isStarted = false
    var isCancelled = false
    var isFinished = false
  }

  private var isAdded = false
  /// The last one that was told, ready or blocked.
  private var readiness: OperationReadiness?
  private(set) var isStarted = false
  private var isCancelled = false
  private(set) var isFinished = false

  /// - Parameter isCancelled: Whether the operation was cancelled before anybody observed it, which is not told.
  init(isCancelled: Bool = false) { self.isCancelled = isCancelled }

  /// The operation has changed.
  ///
  /// - Returns: What observers are told.
  mutating func changed(to stage: Stage) -> EventKinds {
    if isFinished { return [] }
    var kinds: EventKinds = []
    if stage.isAdded, !isAdded {
      isAdded = true
      kinds.insert(.added)
    }
    if isAdded, let kind = kind(of: stage.readiness) {
      readiness = stage.readiness
      kinds.insert(kind)
    }
    if stage.isStarted, !isStarted {
      isStarted = true
      kinds.insert(.started)
    }
    if stage.isCancelled, !isCancelled {
      isCancelled = true
      kinds.insert(.cancelled)
    }
    if stage.isFinished {
      isFinished = true
      kinds.insert(.finished)
    }
    return kinds
  }

  /// The queue does not take the operation after all.
  mutating func withdrawn() {
    isAdded = false
    readiness = nil
  }

  private func kind(of readiness: OperationReadiness?) -> OperationEvent.Kind? {
    if readiness == self.readiness { return nil }
    switch readiness {
    case .ready: return .ready
    case .blocked: return .blocked
    case .skipped, nil: return nil
    }
  }
}
