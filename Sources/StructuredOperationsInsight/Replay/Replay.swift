import StructuredOperations

/// Runs a plan with a number of slots for each queue, in a time of its own.
///
/// At each moment all additions come first, with what leaves without having run, and the ends of waits that have lasted; then one
/// thing after the other happens that ends at that moment, in the order in which they began, and after each the free slots are given
/// out: to bodies whose waits are over, by the ends of those waits, then to ready operations, by priority and order of addition.
/// O(n log n), without recursion.
struct Replay {
  private struct Event: Comparable {
    enum Action: Equatable { case add, delayIsOver, workEnds, waitEnds(hasLasted: Bool), leave }

    let time: Duration
    let sequence: Int
    let action: Action
    let operation: Int

    /// Additions, what leaves, and the ends of waits that have lasted come ahead of everything else of the same moment.
    ///
    /// Example: a body whose wait was long because the slots were taken went on when another one had ended. That one's slot is
    /// for it at the moment of both, and for nothing that has not begun. What leaves unrun takes no slot, and what depends on it is
    /// ready before the slot of the one that has failed is given away.
    var isEarly: Bool {
      switch action {
      case .add, .delayIsOver, .waitEnds(hasLasted: true), .leave: true
      case .workEnds, .waitEnds(hasLasted: false): false
      }
    }

    static func < (one: Event, other: Event) -> Bool {
      if one.time != other.time { return one.time < other.time }
      if one.isEarly != other.isEarly { return one.isEarly }
      return one.sequence < other.sequence
    }
  }

  private struct ReadyOperation: Comparable {
    let priority: QueuePriority
    let rank: Int
    let operation: Int

    static func < (one: ReadyOperation, other: ReadyOperation) -> Bool {
      one.priority == other.priority ? one.rank < other.rank : one.priority > other.priority
    }
  }

  private struct Queue {
    var busyCount = 0
    var ready = MinHeap<ReadyOperation>()
    /// Bodies whose waits are over and that have no slots yet; those ahead of `firstReturning` have.
    var returning: [Int] = []
    var firstReturning = 0
    var needsDispatch = false

    mutating func next() -> Int? {
      guard firstReturning < returning.count else { return ready.popFirst()?.operation }
      firstReturning += 1
      let operation = returning[firstReturning - 1]
      if firstReturning == returning.count {
        returning.removeAll(keepingCapacity: true)
        firstReturning = 0
      }
      return operation
    }
  }

  /// A body, and the piece after which it waits.
  private struct Waiter {
    let operation: Int
    let piece: Int
  }

  private struct State {
    /// What has to happen before it is ready: its dependencies, its addition, its delay.
    var blockers = 0
    /// Where it comes in the order of addition.
    var rank = 0
    /// The dependency that made it ready; nil where that was its addition.
    var cause: Int?
    var piece = 0
    var isFinished = false
    var dependents: [Int] = []
    var waiters: [Waiter] = []
    /// How many of those that the body waits for have not finished.
    var awaitedCount = 0
    /// By the pieces whose waits had not ended before they began: the last one that finished of what was waited for.
    var waitEnds: [Int: Int] = [:]
  }

  private let plan: ReplayPlan
  private let width: Int
  private var states: [State]
  private var queues: [Queue]
  private var dirty: [Int] = []
  private var events = MinHeap<Event>()
  private var sequence = 0
  private var addedCount = 0
  /// In the order of their beginnings; those ahead of `firstWaiter` have ended.
  private var waiters: [Waiter] = []
  private var firstWaiter = 0
  private var now = Duration.zero
  /// When the last body ended; what left without having run does not count.
  private(set) var duration = Duration.zero
  /// The one whose body ended last.
  private(set) var last: Int?

  init(_ plan: ReplayPlan, width: Int) {
    self.plan = plan
    self.width = width
    states = Array(repeating: State(), count: plan.items.count)
    queues = Array(repeating: Queue(), count: plan.queueCount)
    for (index, item) in plan.items.enumerated() {
      guard let item else { continue }
      states[index].blockers = item.dependencies.count + (item.delay > .zero ? 2 : 1)
      for dependency in item.dependencies { states[dependency].dependents.append(index) }
      if case .time(let time) = item.release { schedule(.add, index, at: time) }
    }
    run()
  }

  // MARK: What led to what

  /// The dependency that made an operation ready; nil where that was its addition.
  func cause(of operation: Int) -> Int? { states[operation].cause }

  /// The operation that ended the wait after a piece; nil where it had finished when the body got there, or is not known.
  func endOfWait(of operation: Int, after piece: Int) -> Int? { states[operation].waitEnds[piece] }

  // MARK: Running

  private mutating func run() {
    repeat {
      while let event = events.popFirst() {
        now = event.time
        perform(event)
        if let next = events.first, next.isEarly, next.time == now { continue }
        dispatch()
      }
    } while endWaitInVain()
  }

  /// Ends the wait that began first of those that are left where nothing else happens.
  ///
  /// So it is where a wait was for something that comes after it here: at equal times a recording does not tell which was first, and
  /// one that was decoded may tell anything.
  ///
  /// - Returns: Whether there was one.
  private mutating func endWaitInVain() -> Bool {
    while firstWaiter < waiters.count {
      let waiter = waiters[firstWaiter]
      firstWaiter += 1
      guard isWaiting(waiter) else { continue }
      endWait(of: waiter.operation)
      dispatch()
      return true
    }
    return false
  }

  private func isWaiting(_ waiter: Waiter) -> Bool {
    states[waiter.operation].piece == waiter.piece && states[waiter.operation].awaitedCount > 0
  }

  private mutating func schedule(_ action: Event.Action, _ operation: Int, at time: Duration) {
    sequence += 1
    events.insert(Event(time: time, sequence: sequence, action: action, operation: operation))
  }

  private mutating func perform(_ event: Event) {
    let operation = event.operation
    switch event.action {
    case .add:
      addedCount += 1
      states[operation].rank = addedCount
      if let delay = plan.items[operation]?.delay, delay > .zero { schedule(.delayIsOver, operation, at: now + delay) }
      removeBlocker(of: operation, cause: nil)
    case .delayIsOver: removeBlocker(of: operation, cause: nil)
    case .workEnds: endWork(of: operation)
    case .waitEnds: endWait(of: operation)
    case .leave: finish(operation)
    }
  }

  private mutating func removeBlocker(of operation: Int, cause: Int?) {
    states[operation].blockers -= 1
    guard states[operation].blockers == 0, let item = plan.items[operation] else { return }
    states[operation].cause = cause
    if item.pieces.isEmpty {
      schedule(.leave, operation, at: now)
    } else if let queue = item.queue {
      queues[queue].ready.insert(
        ReadyOperation(priority: item.priority, rank: states[operation].rank, operation: operation))
      markDirty(queue)
    } else {
      beginPiece(of: operation)
    }
  }

  private mutating func beginPiece(of operation: Int) {
    guard let piece = plan.items[operation]?.pieces[states[operation].piece] else { return }
    for addition in piece.additions { schedule(.add, addition.operation, at: now + addition.delay) }
    schedule(.workEnds, operation, at: now + piece.work)
  }

  private mutating func endWork(of operation: Int) {
    guard let item = plan.items[operation] else { return }
    let piece = item.pieces[states[operation].piece]
    guard let wait = piece.wait else {
      giveSlotBack(item)
      finish(operation)
      return
    }
    // The body adds what it does during its wait, whether that takes time here or not.
    for addition in piece.additionsInWait { schedule(.add, addition.operation, at: now + addition.delay) }
    switch wait {
    case .operations(let awaited):
      let unfinished = awaited.filter { !states[$0].isFinished }
      if unfinished.isEmpty {
        states[operation].piece += 1
        beginPiece(of: operation)
        return
      }
      states[operation].awaitedCount = unfinished.count
      let waiter = Waiter(operation: operation, piece: states[operation].piece)
      for awaited in unfinished { states[awaited].waiters.append(waiter) }
      waiters.append(waiter)
    case .time(let time):
      schedule(.waitEnds(hasLasted: time > .zero), operation, at: now + time)
    }
    giveSlotBack(item)
  }

  private mutating func endWait(of operation: Int) {
    states[operation].awaitedCount = 0
    states[operation].piece += 1
    if let queue = plan.items[operation]?.queue {
      queues[queue].returning.append(operation)
      markDirty(queue)
    } else {
      beginPiece(of: operation)
    }
  }

  private mutating func finish(_ operation: Int) {
    states[operation].isFinished = true
    if plan.items[operation]?.pieces.isEmpty == false {
      duration = max(duration, now)
      last = operation
    }
    for dependent in states[operation].dependents { removeBlocker(of: dependent, cause: operation) }
    for waiter in states[operation].waiters where isWaiting(waiter) {
      states[waiter.operation].awaitedCount -= 1
      guard states[waiter.operation].awaitedCount == 0 else { continue }
      states[waiter.operation].waitEnds[waiter.piece] = operation
      endWait(of: waiter.operation)
    }
  }

  // MARK: Slots

  private mutating func giveSlotBack(_ item: ReplayPlan.Item) {
    guard let queue = item.queue else { return }
    queues[queue].busyCount -= 1
    markDirty(queue)
  }

  private mutating func markDirty(_ queue: Int) {
    if queues[queue].needsDispatch { return }
    queues[queue].needsDispatch = true
    dirty.append(queue)
  }

  private mutating func dispatch() {
    while let queue = dirty.popLast() {
      queues[queue].needsDispatch = false
      while queues[queue].busyCount < width, let operation = queues[queue].next() {
        queues[queue].busyCount += 1
        beginPiece(of: operation)
      }
    }
  }
}
