extension OperationCore {
  /// What is left of the body: it, then the task that runs it, then what it came to.
  ///
  /// In one place, since it is never two of them.
  enum Work: Sendable {
    case body(OperationBody)
    /// The body has been taken out. With a lease that is `none` no task of the operation's own runs it.
    case taken(BodyTaskLease<BodyTask, Sleeper>)
    case success(OperationOutput)
    case failure(any Error)
    case cancelled

    init(_ outcome: Outcome) {
      self =
        switch outcome {
        case .success(let output): .success(output)
        case .failure(let error): .failure(error)
        case .cancelled: .cancelled
        }
    }

    /// Nil until the operation has finished.
    var outcome: Outcome? {
      switch self {
      case .body, .taken: nil
      case .success(let output): .success(output)
      case .failure(let error): .failure(error)
      case .cancelled: .cancelled
      }
    }
  }

  /// How the operation ended, for outputs of every type.
  enum Outcome: Sendable {
    case success(OperationOutput)
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
  }

  /// What every operation has.
  ///
  /// The fields stand in such an order that there is no room between them, and the core keeps below 128 bytes: blocks of
  /// that size glibc frees without its lock, which the thread that makes operations holds most of the time.
  struct State: Sendable {
    /// From the adding to a queue to the end.
    var membership: Membership?
    /// One, or none, which takes no room.
    private var extras: [Extras] = []
    var work: Work
    /// The raw value of the highest priority of tasks that await the operation, where that is above its own; else 0.
    var donatedPriority: UInt8 = 0
    /// Whether the bodies of others read the output here, when the operation itself may be gone.
    var isSource = false
    var lifecycle: OperationLifecycle
    /// Half as large as an optional number.
    private var rawEntry: Int32 = -1
    /// The place in the queue's order that the operation was given when it was taken in; it may have a later one now.
    var rank = 0

    init(lifecycle: OperationLifecycle, work: Work, name: String?, executor: (any TaskExecutor)?) {
      self.lifecycle = lifecycle
      self.work = work
      if let name { extra.name = name }
      if let executor { extra.rare.executor = executor }
    }

    /// The queue's name for the operation, once it has taken it in.
    var entry: Int? {
      get { rawEntry < 0 ? nil : Int(rawEntry) }
      set { rawEntry = newValue.map(Int32.init) ?? -1 }
    }
  }

  /// What operations have that are connected with others, that somebody waits for, or that have a name.
  fileprivate struct Extras: Sendable {
    var name: String?
    var dependencies = Dependencies()
    var pastDependencies: [PastDependency] = []
    var dependents = ShortList<Dependent>()
    var waiters: [Sleeper] = []
    /// One, or none.
    private var rares: [Rare] = []

    var rare: Rare {
      get { rares.first ?? Rare() }
      _modify {
        if rares.isEmpty { rares.append(Rare()) }
        yield &rares[0]
      }
    }

    var hasRare: Bool { !rares.isEmpty }
  }

  /// What most operations never have.
  fileprivate struct Rare: Sendable {
    var executor: (any TaskExecutor)?
    var wait: BodyWait?
    var waitingBodies: [BodyWait] = []
    var completionBlock: CompletionBlock?
    var queueExecutor: (any TaskExecutor)?
    var observers = ObserverList<OperationSnapshot>()
    var isolation: OperationIsolation?
  }
}

extension OperationCore.State {
  /// Who runs the body; `none` before and after.
  var bodyTask: BodyTaskLease<BodyTask, OperationCore.Sleeper> {
    get { if case .taken(let lease) = work { lease } else { .none } }
    set { if case .taken = work { work = .taken(newValue) } }
  }

  // MARK: Extras

  var name: String? { extras.isEmpty ? nil : extras[0].name }

  /// Empty once this operation has finished.
  var dependencies: OperationCore.Dependencies {
    get { extras.isEmpty ? OperationCore.Dependencies() : extras[0].dependencies }
    _modify { yield &extra.dependencies }
  }

  mutating func takeDependencies() -> ShortList<OperationCore.Dependencies.Entry> {
    extras.isEmpty ? ShortList() : extra.dependencies.removeAll()
  }

  /// What it depended on, once it has finished: weakly, or else each operation would keep all those before it.
  var pastDependencies: [OperationCore.PastDependency] {
    get { extras.isEmpty ? [] : extras[0].pastDependencies }
    set { if !newValue.isEmpty || !extras.isEmpty { extra.pastDependencies = newValue } }
  }

  /// Empty once this operation has finished.
  ///
  /// Some may have lost interest.
  var dependents: ShortList<OperationCore.Dependent> {
    get { extras.isEmpty ? ShortList() : extras[0].dependents }
    _modify { yield &extra.dependents }
  }

  mutating func takeDependents() -> ShortList<OperationCore.Dependent> {
    extras.isEmpty ? ShortList() : extra.dependents.removeEach()
  }

  /// Those who wait for the end to be over.
  var waiters: [OperationCore.Sleeper] {
    get { extras.isEmpty ? [] : extras[0].waiters }
    _modify { yield &extra.waiters }
  }

  mutating func takeWaiters() -> [OperationCore.Sleeper] {
    extras.isEmpty ? [] : extra.waiters.removeEach()
  }

  private var extra: OperationCore.Extras {
    get { extras.first ?? OperationCore.Extras() }
    _modify {
      if extras.isEmpty { extras.append(OperationCore.Extras()) }
      yield &extras[0]
    }
  }

  // MARK: Rare extras

  /// Where the body runs; nil where the operation does not say.
  var executor: (any TaskExecutor)? { hasRare ? extra.rare.executor : nil }

  /// What the body's own task waits for.
  var wait: BodyWait? {
    get { hasRare ? extra.rare.wait : nil }
    set { if newValue != nil || hasRare { extra.rare.wait = newValue } }
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
    get { hasRare ? extra.rare.waitingBodies : [] }
    set { if !newValue.isEmpty || hasRare { extra.rare.waitingBodies = newValue } }
  }

  var completionBlock: OperationCore.CompletionBlock? {
    get { hasRare ? extra.rare.completionBlock : nil }
    set { if newValue != nil || hasRare { extra.rare.completionBlock = newValue } }
  }

  /// Where the queue that the operation was in has everything run.
  var queueExecutor: (any TaskExecutor)? {
    get { hasRare ? extra.rare.queueExecutor : nil }
    set { if newValue != nil || hasRare { extra.rare.queueExecutor = newValue } }
  }

  /// Never another one once it is there, as long as the operation lives: others have it without holding it.
  var isolation: OperationIsolation {
    mutating get {
      if let isolation = extra.rare.isolation { return isolation }
      let isolation = OperationIsolation()
      extra.rare.isolation = isolation
      return isolation
    }
  }

  var hasObservers: Bool { hasRare && !extra.rare.observers.isEmpty }

  var observers: ObserverList<OperationSnapshot> {
    get { hasRare ? extra.rare.observers : ObserverList() }
    _modify { yield &extra.rare.observers }
  }

  private var hasRare: Bool { !extras.isEmpty && extras[0].hasRare }

  /// Whether another operation depends on this one, or its body waits for it.
  var isWaitedFor: Bool { !extras.isEmpty && (!dependents.isEmpty || !waitingBodies.isEmpty) }

  /// Whether nothing follows from the end of the operation but that its queue lets go of it and that those who wait go
  /// on.
  var isPlain: Bool {
    if donatedPriority > 0 { return false }
    return extras.isEmpty || dependents.isEmpty && waitingBodies.isEmpty && completionBlock == nil
  }
}
