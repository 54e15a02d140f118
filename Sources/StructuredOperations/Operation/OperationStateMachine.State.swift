extension OperationStateMachine {
  /// Where the operation is in its life, with what exists there.
  enum State: Sendable {
    /// In no queue, and not started. Can transition to enqueued, claimed, finishing, finished.
    case idle(OperationBody)
    /// In a queue, and not claimed; it may have been chosen ahead. Can transition to idle, claimed, executing.
    case enqueued(OperationBody, Assignment)
    /// Chosen by its queue, or by `start()`: dependencies no longer count. Can transition to executing, finishing.
    case claimed(OperationBody, Assignment?)
    /// The body runs. Can transition to finishing, finished.
    case executing(Execution)
    /// Finished for everyone who asks, while its queue and its dependents are still to be told. Can transition to
    /// finished.
    case finishing(End)
    /// The queue and the dependents have been told; waiters may resume. Terminal.
    case finished(End)

    // Borrowing: otherwise to read a part of what the state holds would retain and release all of it.

    /// The identifier by which the queue that has not chosen the operation yet knows it.
    var entryIfEnqueued: Int? {
      borrowing get {
        switch self {
        case .enqueued(_, let assignment): assignment.entry
        case .idle, .claimed, .executing, .finishing, .finished: nil
        }
      }
    }

    /// The queue that has not chosen the operation yet.
    var queueIfEnqueued: (any OwningQueue)? {
      borrowing get {
        switch self {
        case .enqueued(_, let assignment): assignment.queue
        case .idle, .claimed, .executing, .finishing, .finished: nil
        }
      }
    }

    /// The operation itself, as long as it is in a queue.
    var operationInQueue: (any OperationProtocol)? {
      borrowing get {
        switch self {
        case .enqueued(_, let assignment): assignment.operation
        case .claimed(_, let assignment): assignment?.operation
        case .executing(let execution): execution.assignment?.operation
        case .idle, .finishing, .finished: nil
        }
      }
    }

    borrowing func isEnqueued(in queue: ObjectIdentifier) -> Bool {
      switch self {
      case .enqueued(_, let assignment): ObjectIdentifier(assignment.queue) == queue
      case .idle, .claimed, .executing, .finishing, .finished: false
      }
    }

    var isEnqueued: Bool { if case .enqueued = self { true } else { false } }

    var isExecuting: Bool { if case .executing = self { true } else { false } }
  }

  /// What ties an operation to its queue.
  ///
  /// It holds both, so neither is freed while the queue has something to do.
  struct Assignment: Sendable {
    let operation: any OperationProtocol
    let queue: any OwningQueue
    /// The queue's identifier for the operation; negative until a turn of the queue has admitted it.
    fileprivate var rawEntry: Int32 = -1

    init(_ operation: any OperationProtocol, in queue: any OwningQueue) {
      self.operation = operation
      self.queue = queue
    }

    var entry: Int? {
      get { rawEntry < 0 ? nil : Int(rawEntry) }
      set { rawEntry = newValue.map(Int32.init) ?? -1 }
    }
  }

  /// A body that runs.
  struct Execution: Sendable {
    /// Who may use the handle of the body's task; `none` where the body runs in its caller's task.
    var lease: BodyTaskLease<BodyTask, Waiter>
    /// What the body's own task waits for.
    var wait: BodyWait?
    var assignment: Assignment?
  }

  /// What stays of an operation that has finished.
  struct End: Sendable {
    var outcome: ErasedOutcome
    /// That of the queue that the operation was in.
    var completionBlockRunner: (any CompletionBlockRunner)?

    /// The operation has been freed, and everything of it has been taken out.
    static let released = End(outcome: .released)
  }

  /// Another operation that depends on this one.
  struct Dependent: Sendable {
    let storage: OperationStorage
    let key: Dependencies.Key
  }

  /// An operation that this one depended on, for as long as somebody else holds it.
  struct PastDependency: Sendable {
    weak var operation: (any OperationProtocol)?
  }

  /// State that only operations need that have dependencies, dependents, waiters, limits, readers, a name or an executor; apart, to
  /// keep the others small.
  struct Connections: InitializableEmpty, Sendable {
    /// Empty once this operation has finished.
    var dependencies = Dependencies()
    /// Where the operation comes in its queue once it is ready.
    ///
    /// Nil where only a turn of the queue can say that: until it has admitted the operation, and from a move, or from being
    /// blocked again, until it has heard of that. Means nothing while the operation is ready.
    var position: QueuePosition?
    /// Empty until this operation has finished; weak, or each operation would keep all those before it.
    var pastDependencies: [PastDependency] = []
    /// Empty once this operation has finished; some may have been freed, or may no longer depend on this one.
    var dependents = ShortList<Dependent>()
    /// Tasks to be resumed at the very end.
    var waiters = KeyedList<FinishWaiter>()
    /// Exists where the operation ever needed concurrency limits; holds nothing once that has finished and let go of them.
    var limitState = OnDemand<LimitState>()
    var rare = OnDemand<RareConnections>()
  }

  /// State that few operations need.
  struct RareConnections: InitializableEmpty, Sendable {
    private(set) var name: String?
    /// Where the body runs; nil if the operation does not say.
    private(set) var executor: (any TaskExecutor)?
    var readerList = ReaderList<OperationSnapshot>()
    /// Bodies of other operations, which need their slots back before they continue.
    var waitingBodies: [BodyWait] = []
    var completionBlock: CompletionBlock?
    /// What tasks wait for that the body has started.
    var taskWaits: [Int: TaskWait] = [:]
    /// The completion of a `callback:` body that has returned.
    var completion: PendingCompletion?
    /// Dependencies that were removed before they had finished, of an operation whose body may read their outputs.
    var lostSources: Set<ObjectIdentifier> = []

    /// Part of the operation's creation.
    mutating func set(name: String?, executor: (any TaskExecutor)?) {
      self.name = name
      self.executor = executor
    }
  }

  /// Changes what few operations have.
  @inline(__always)
  mutating func changeRare<Result>(_ change: (inout RareConnections) -> Result) -> Result {
    connections.change { $0.rare.change(change) }
  }
}
