extension OperationStateMachine {
  /// What is left to do for an operation that is published as finished.
  ///
  /// Not copyable, since it is handed on through several functions: each copy would retain and release all that it holds.
  struct Finish: ~Copyable, Sendable {
    let dependents: ShortList<Dependent>
    let outcome: OutcomeKind
    /// The error of a failure.
    let failure: (any Error)?
    /// Whether there may be something for ``OperationStateMachine/takeFollowUps(of:)``.
    let hasFollowUps: Bool
    /// Whether that is no more than limits to give back, which the operation has.
    let onlyLimitsFollow: Bool
    /// The body, where it has not run.
    let body: OperationBody?
    /// The task that ran the body may have got this priority, which it keeps; 0 where there was no escalation.
    let escalatedPriority: UInt8
    let released: Released
    /// The limits that the operation needed, to be freed outside of the lock.
    let limits: Limits?

    /// The operation, where it was in a queue and there may be something for
    /// ``OperationStateMachine/takeFollowUps(of:)``.
    var followUps: (any OperationProtocol)? { hasFollowUps ? released.assignment?.operation : nil }
  }

  /// What a finished operation releases, to be freed outside of the lock.
  struct Released: ~Copyable, Sendable {
    let assignment: Assignment?
    var dependencies = ShortList<Dependencies.Entry>()
  }

  /// What an operation that goes away leaves to be freed: everything by which it may hold other operations, and what is the
  /// user's, as the executor of its queue, which may be gone.
  enum Remains: Sendable {
    case nothing
    case unrun(OperationBody, OnDemand<Connections>, OnDemand<EventObservation>)
    case finished(End, OnDemand<RareConnections>)
  }
}
