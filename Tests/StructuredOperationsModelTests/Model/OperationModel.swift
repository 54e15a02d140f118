import StructuredOperations

/// What the reference model knows of one operation; moments are numbers of events.
struct OperationModel {
  /// From when to when something was asked for: the moment at which it took effect lies between.
  struct Span {
    var called: Int
    /// Nil until it has come back.
    var returned: Int?
  }

  /// What another operation is to this one.
  struct Edge {
    var requirement: DependencyRequirement
    /// When it was there for certain.
    var added: Int
    /// Whether the operation listed it then; where it did not, it had been chosen already.
    var isListed: Bool
    /// What was asked for when it was new; whether more came in time nobody sees once the operation has run.
    var certainRequirement: DependencyRequirement
    /// Nil where nobody has tried to remove it.
    var removed: Span?

    /// Whether it was there for certain at a moment.
    func holds(at moment: Int) -> Bool { isListed && added < moment && (removed.map { $0.called > moment } ?? true) }
  }

  let plan: Program.OperationPlan
  /// The queue that enqueued it.
  var queue: Int?
  var added: Span?
  /// Its place in the batch.
  var placeInBatch = 0
  var startCalls: [Int] = []
  /// A call of `start()` that ran it, or found it cancelled.
  var began: Int?
  var ended: Int?
  /// While the body waits for another operation.
  var isWaiting = false
  var settled: Int?
  /// Whether any wait for it has come back.
  var hasBeenWaitedFor = false
  var hasSucceeded = false
  var cancel: Span?
  /// When it was first possible that its queue cancelled it.
  var cancelAllCalled: Int?
  var cancelAllReturned: Int?
  var isReleased = false
  var edges: [Int: Edge] = [:]
  /// What somebody has tried to make it depend on, with success or without.
  var attempts: Set<Int> = []
  /// What had to succeed for it, until that was removed, which may have been too late.
  var lost: Set<Int> = []

  var priority: QueuePriority
  /// The last change of priority that moved it to the end of a level.
  var moved: Span?
  /// A change that is under way.
  var changingPriority: (priority: QueuePriority, called: Int)?
  /// Where it is unknown what the order of two changes was.
  var hasUnknownRank = false
  /// When the priority was last touched.
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

  /// The span that its rank comes from.
  var ranked: Span? { moved ?? added }

  var hasBlocks: Bool {
    switch plan.body {
    case .blocks, .throwingBlocks: true
    default: false
    }
  }

  /// Whether the body goes on until somebody says otherwise.
  func isHeld(isCancelled: Bool) -> Bool {
    switch plan.body {
    case .held: !isReleased
    case .heldUnlessCancelled, .heldCallback: !isReleased && !isCancelled
    default: false
    }
  }
}
