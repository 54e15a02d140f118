import StructuredOperations

/// What the reference model knows about one operation; times are indices of events.
struct OperationModel {
  /// The times of a call and of its return: the call took effect in between.
  struct Span {
    var called: Int
    /// Nil until the call has returned.
    var returned: Int?
  }

  /// A dependency on another operation.
  struct Edge {
    var requirement: DependencyRequirement
    /// When the call that added it had returned.
    var added: Int
    /// Whether `dependencies` contained it then; if not, the operation had already been chosen to run.
    var isListed: Bool
    /// The requirement that it was first added with.
    ///
    /// Whether a stricter one came in time cannot be observed once the operation has run.
    var certainRequirement: DependencyRequirement
    /// Nil if no script has tried to remove it.
    var removed: Span?

    /// Whether it certainly existed at a time.
    func holds(at moment: Int) -> Bool { isListed && added < moment && (removed.map { $0.called > moment } ?? true) }
  }

  let plan: Program.OperationPlan
  /// The queue that accepted it.
  var queue: Int?
  var added: Span?
  /// Its index in the batch that it was added with.
  var placeInBatch = 0
  var startCalls: [Int] = []
  /// How many calls of `start()` have not returned.
  var openStarts = 0
  /// When its body began.
  var began: Int?
  var ended: Int?
  /// Whether the body waits for another operation.
  var isWaiting = false
  /// Whether the body lends its slot in that wait.
  var lending = Event.Lending.none
  var settled: Int?
  /// Whether any wait for it has returned.
  var hasBeenWaitedFor = false
  var hasSucceeded = false
  var cancel: Span?
  /// The earliest time at which its queue may have cancelled it.
  var cancelAllCalled: Int?
  var cancelAllReturned: Int?
  var isReleased = false
  var edges: [Int: Edge] = [:]
  /// All operations that a script has tried to make it depend on, whether that succeeded or not.
  var attempts: Set<Int> = []
  /// Dependencies that required success and were removed; the removal may have been too late.
  var lost: Set<Int> = []

  var priority: QueuePriority
  /// The last change of priority, which put it last among the operations of its new priority.
  var moved: Span?
  /// A change whose call has not returned.
  var changingPriority: (priority: QueuePriority, called: Int)?
  /// Whether the order of two changes is unknown, and with it the operation's rank.
  var hasUnknownRank = false
  /// When the priority was last changed.
  var lastPriorityChange = -1

  init(_ plan: Program.OperationPlan) {
    self.plan = plan
    priority = plan.priority
    for dependency in plan.dependencies {
      let requirement: DependencyRequirement =
        edges[dependency.on]?.requirement == .success ? .success : dependency.requirement
      edges[dependency.on] = Edge(
        requirement: requirement, added: -1, isListed: true, certainRequirement: requirement)
      attempts.insert(dependency.on)
    }
  }

  var mayBeCancelled: Bool { cancel != nil || cancelAllCalled != nil }

  /// The call that determines its rank among operations of the same priority.
  var ranked: Span? { moved ?? added }

  /// Whether the body fails, unless the operation is cancelled first.
  var bodyFails: Bool {
    switch plan.body {
    case .throwingMain, .throwingStart, .throwingBlocks, .throwingLoop, .abandoned: true
    default: false
    }
  }

  var hasBlocks: Bool {
    switch plan.body {
    case .blocks, .throwingBlocks: true
    default: false
    }
  }

  /// Whether the body still waits to be released.
  func isHeld(isCancelled: Bool) -> Bool {
    switch plan.body {
    case .held: !isReleased
    case .heldUnlessCancelled, .heldCallback: !isReleased && !isCancelled
    default: false
    }
  }
}
