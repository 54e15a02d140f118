extension OperationCore {
  /// The body before it runs, the outcome after: never both.
  enum Work: Sendable {
    case body(OperationBody)
    case taken
    case outcome(Outcome)
  }

  /// How the operation ended, for outputs of every type.
  ///
  /// Not an ``OperationOutcome``: the layout of a generic type is looked up at run time wherever it is copied.
  enum Outcome: Sendable {
    case success(any Sendable)
    case failure(any Error)
    case cancelled

    var isSuccess: Bool { if case .success = self { true } else { false } }
  }

  /// Another operation that waits for this one.
  struct Dependent: Sendable {
    let core: OperationCore
    let key: Dependencies.Key
  }

  /// An operation that this one depended on, as long as somebody holds it.
  struct PastDependency: Sendable {
    weak var operation: (any OperationProtocol)?
  }

  /// What ties the operation to its queue.
  ///
  /// It holds both, so neither goes away while there is something to do.
  struct Membership: Sendable {
    let operation: any OperationProtocol
    let host: any OperationHost
    /// Half as large as an optional number, in what every operation has.
    private var rawEntry: Int32 = -1

    init(operation: any OperationProtocol, host: any OperationHost) {
      self.operation = operation
      self.host = host
    }

    /// The queue's name for the operation, once it has taken it in.
    var entry: Int? {
      get { rawEntry < 0 ? nil : Int(rawEntry) }
      set { rawEntry = newValue.map(Int32.init) ?? -1 }
    }
  }

  struct State: Sendable {
    var lifecycle: OperationLifecycle
    /// The raw value of the highest priority of tasks that await the operation, where that is above its own; else 0.
    var donatedPriority: UInt8 = 0
    var work: Work
    /// Empty once this operation has finished.
    var dependencies = Dependencies()
    /// What it depended on, once it has finished: weakly, or else each operation would keep all those before it.
    var pastDependencies: [PastDependency] = []
    /// Empty once this operation has finished.
    ///
    /// Some may have lost interest.
    var dependents: [Dependent] = []
    var bodyTask = BodyTaskLease<BodyTask, Sleeper>.none
    /// From the adding to a queue to the end.
    var membership: Membership?
    /// Those who wait for the end to be over.
    var waiters: [Sleeper] = []
    /// One, or none, which takes no room.
    private var extras: [Extras] = []

    init(lifecycle: OperationLifecycle, work: Work) {
      self.lifecycle = lifecycle
      self.work = work
    }
  }

  /// What most operations never have.
  fileprivate struct Extras: Sendable {
    var wait: BodyWait?
    var waitingBodies: [BodyWait] = []
    var completionBlock: CompletionBlock?
    var queueExecutor: (any TaskExecutor)?
    var observers = ObserverList<OperationSnapshot>()
  }
}

extension OperationCore.State {
  /// What the body's own task waits for.
  var wait: BodyWait? {
    get { extras.first?.wait }
    set { if newValue != nil || !extras.isEmpty { extra.wait = newValue } }
  }

  /// Whether the body's own task waits for everything in a queue.
  var waitsForAll: Bool {
    switch wait?.subject {
    case .operations, nil: false
    case .all, .scope: true
    }
  }

  /// Those of the waiters that are bodies' own tasks, which need their slots before they go on.
  var waitingBodies: [BodyWait] {
    get { extras.first?.waitingBodies ?? [] }
    set { if !newValue.isEmpty || !extras.isEmpty { extra.waitingBodies = newValue } }
  }

  var completionBlock: OperationCore.CompletionBlock? {
    get { extras.first?.completionBlock }
    set { if newValue != nil || !extras.isEmpty { extra.completionBlock = newValue } }
  }

  /// Where the queue that the operation was in has everything run.
  var queueExecutor: (any TaskExecutor)? {
    get { extras.first?.queueExecutor }
    set { if newValue != nil || !extras.isEmpty { extra.queueExecutor = newValue } }
  }

  var hasObservers: Bool { extras.first?.observers.isEmpty == false }

  var observers: ObserverList<OperationSnapshot> {
    get { extras.first?.observers ?? ObserverList() }
    _modify { yield &extra.observers }
  }

  private var extra: OperationCore.Extras {
    get { extras.first ?? OperationCore.Extras() }
    _modify {
      if extras.isEmpty { extras.append(OperationCore.Extras()) }
      yield &extras[0]
    }
  }
}
