import TestSupport
import Testing

@testable import StructuredOperations

@Suite("OperationStateMachine")
struct OperationStateMachineTests {
  typealias Machine = OperationStateMachine

  /// The states of an operation, by the ways that lead to them.
  enum Stage: CaseIterable {
    case idle, enqueued, admitted, claimedByQueue, claimedByStart, executing, executingInCaller, finishing, finished

    static let unclaimed: [Stage] = [.idle, .enqueued, .admitted]
    static let claimed: [Stage] = [.claimedByQueue, .claimedByStart]
    static let ended: [Stage] = [.finishing, .finished]
    static let notUnclaimed = allCases.filter { !unclaimed.contains($0) }
  }

  let queue = FakeQueue()
  let operation = AsyncOperation {}
  static let success = ErasedOutcome.success(OperationOutput(()))

  /// An operation in a state, which nothing holds back.
  func machine(_ stage: Stage) throws -> Machine {
    var machine = Machine(body: .start {}, queuePriority: .normal)
    try bring(&machine, to: stage)
    return machine
  }

  /// Brings an operation that is idle and ready to another state.
  func bring(_ machine: inout Machine, to stage: Stage) throws {
    switch stage {
    case .idle: break
    case .enqueued: _ = machine.enqueue(Machine.Assignment(operation, in: queue))
    case .admitted:
      try bring(&machine, to: .enqueued)
      _ = machine.admit(as: 3, rank: 7)
    case .claimedByQueue:
      try bring(&machine, to: .admitted)
      #expect(machine.claim() == .ready)
    case .claimedByStart: #expect(machine.start() == .run)
    case .executing:
      try bring(&machine, to: .claimedByQueue)
      let task: BodyTask = try #require(BodyTask.current)
      _ = machine.begin(in: task)
    case .executingInCaller:
      try bring(&machine, to: .claimedByQueue)
      _ = machine.begin(in: nil)
    case .finishing:
      try bring(&machine, to: .executing)
      _ = machine.publishFinish(Self.success)
    case .finished:
      try bring(&machine, to: .finishing)
      _ = machine.tellWaiters()
    }
  }

  // MARK: Queries

  private struct Row: Sendable {
    let stage: Stage
    var state = OperationState.ready
    /// What observers are told, where that is another thing.
    var isObserved = true
    var isUnclaimed = false
    var isFinished = false
    var isEveryoneTold = false
    var isAssigned = false
  }

  @Test(
    "What observers, queues and waiters see follows from the state",
    arguments: [
      Row(stage: .idle, isUnclaimed: true),
      Row(stage: .enqueued, isUnclaimed: true, isAssigned: true),
      Row(stage: .admitted, isUnclaimed: true, isAssigned: true),
      Row(stage: .claimedByQueue, isAssigned: true),
      Row(stage: .claimedByStart),
      Row(stage: .executing, state: .executing, isAssigned: true),
      Row(stage: .executingInCaller, state: .executing, isAssigned: true),
      Row(stage: .finishing, state: .finished, isObserved: false, isFinished: true),
      Row(stage: .finished, state: .finished, isFinished: true, isEveryoneTold: true),
    ])
  private func queries(row: Row) throws {
    let machine = try machine(row.stage)

    #expect(machine.snapshot == OperationSnapshot(state: row.state, isCancelled: false))
    #expect(machine.observedSnapshot == (row.isObserved ? machine.snapshot : nil))
    #expect(machine.isUnclaimed == row.isUnclaimed)
    #expect(machine.unclaimedReadiness == (row.isUnclaimed ? .ready : nil))
    #expect(machine.isFinished == row.isFinished)
    #expect((machine.outcome != nil) == row.isFinished)
    #expect(machine.isEveryoneTold == row.isEveryoneTold)
    #expect((machine.assignment != nil) == row.isAssigned)
  }

  @Test("The queue's identifier is known from the admission to the end", arguments: Stage.allCases)
  func entry(stage: Stage) throws {
    let isKnown = [.admitted, .claimedByQueue, .executing, .executingInCaller].contains(stage)
    #expect(try machine(stage).assignment?.entry == (isKnown ? 3 : nil))
  }

  // MARK: Queues

  @Test(
    "A queue takes an operation once, before anybody runs it",
    arguments: [
      (.idle, .enqueued(Machine.Enqueued(readiness: .ready, priority: .normal))), (.enqueued, .alreadyEnqueued),
      (.admitted, .alreadyEnqueued),
      (.claimedByQueue, .alreadyEnqueued), (.claimedByStart, .alreadyExecuting), (.executing, .alreadyExecuting),
      (.executingInCaller, .alreadyExecuting), (.finishing, .alreadyFinished), (.finished, .alreadyFinished),
    ] as [(Stage, OperationStateMachine.EnqueueAction)])
  func enqueue(stage: Stage, action: OperationStateMachine.EnqueueAction) throws {
    var machine = try machine(stage)
    let before = machine.snapshot
    let other = FakeQueue()
    #expect(machine.enqueueAction == action)

    #expect(machine.enqueue(Machine.Assignment(operation, in: other)) == action)

    #expect(machine.snapshot == before)
    #expect((machine.assignment?.queue === other) == (stage == .idle))
  }

  @Test("A withdrawn operation can be enqueued or started as if it had never been in a queue")
  func withdraw() throws {
    var machine = try machine(.enqueued)

    #expect(machine.withdraw().assignment.queue === queue)

    #expect(machine.assignment == nil)
    #expect(machine.enqueueAction == .enqueued(Machine.Enqueued(readiness: .ready, priority: .normal)))
    #expect(machine.start() == .run)
  }

  @Test("Events that are held are not held any longer once the operation is withdrawn", arguments: [false, true])
  func withdrawHeld(isCancelled: Bool) throws {
    let observer = EventRecorder()
    let operation = AsyncOperation(observer: observer) {}
    let other = FakeQueue()
    _ = operation.storage.enqueue(operation, in: other, holdsEvents: true)
    if isCancelled { operation.cancel() }

    let withdrawn = operation.storage.modify { $0.withdraw() }

    #expect(withdrawn.deliversEvents)
    // Another queue may hold events of its own by now: the first one has nothing to release.
    #expect(operation.storage.modify { $0.changeObservation { $0.release() } } == false)
    operation.storage.deliverReleasedEvents()
    #expect(observer.all.map(\.kind) == (isCancelled ? [.cancelled] : []))
  }

  @Test("An admission tells the readiness and the priority at that moment")
  func admit() throws {
    var machine = try machine(.enqueued)
    _ = machine.setQueuePriority(.high)
    _ = machine.cancel()

    let (readiness, priority, _) = machine.admit(as: 5, rank: 8)

    #expect(readiness == .skipped)
    #expect(priority == .high)
    #expect(machine.assignment?.entry == 5)
  }

  // MARK: Readiness

  /// What holds an operation back, or skips it.
  enum Circumstance: CaseIterable {
    case free, unfinished, failed, cancelled, unfinishedAndFailed, unfinishedAndCancelled

    var readiness: OperationReadiness {
      switch self {
      case .free: .ready
      case .unfinished: .blocked
      case .failed, .cancelled, .unfinishedAndFailed, .unfinishedAndCancelled: .skipped
      }
    }
  }

  static func apply(_ circumstance: Circumstance, to machine: inout Machine) {
    switch circumstance {
    case .free: break
    case .unfinished: add(AsyncOperation {}, hasSucceeded: nil, to: &machine)
    case .failed: add(AsyncOperation {}, hasSucceeded: false, to: &machine)
    case .cancelled: _ = machine.cancel()
    case .unfinishedAndFailed:
      apply(.unfinished, to: &machine)
      apply(.failed, to: &machine)
    case .unfinishedAndCancelled:
      apply(.unfinished, to: &machine)
      apply(.cancelled, to: &machine)
    }
  }

  /// Adds a dependency whose success is required; nil where the operation takes none any more.
  @discardableResult
  static func add(
    _ dependency: any OperationProtocol,
    hasSucceeded: Bool?,
    to machine: inout Machine
  ) -> Machine.AddedDependency? {
    let id = ObjectIdentifier(dependency.storage)
    let key: Machine.Dependencies.Key?
    switch machine.checkDependency(id, .done) {
    case .tooLate, .mayCloseLoop: return nil
    case .new(let new): key = new
    case .known: key = nil
    case .newOrKnown: key = machine.newKey(for: id)
    }
    return machine.addDependency(dependency, id: id, requirement: .success, key: key, hasSucceeded: hasSucceeded)
  }

  @Test(
    "An unfinished dependency blocks; a failed one and a cancellation skip", arguments: Circumstance.allCases,
    Stage.unclaimed)
  func readiness(circumstance: Circumstance, stage: Stage) throws {
    var machine = try machine(stage)

    Self.apply(circumstance, to: &machine)

    #expect(machine.readiness == circumstance.readiness)
    #expect(machine.unclaimedReadiness == circumstance.readiness)
    #expect(machine.snapshot.state == (circumstance.readiness == .blocked ? .pending : .ready))
    let enqueued = Machine.Enqueued(readiness: circumstance.readiness, priority: .normal)
    if stage == .idle { #expect(machine.enqueueAction == .enqueued(enqueued)) }
  }

  @Test("A claim tells the readiness, and leaves a blocked operation unclaimed", arguments: Circumstance.allCases)
  func claim(circumstance: Circumstance) throws {
    var machine = try machine(.admitted)
    Self.apply(circumstance, to: &machine)

    #expect(machine.claim() == circumstance.readiness)

    #expect(machine.isUnclaimed == (circumstance == .unfinished))
    #expect(machine.assignment?.entry == 3)
  }

  @Test(
    "A claim of a skipped operation leaves one that is ready or blocked unclaimed", arguments: Circumstance.allCases)
  func claimSkipped(circumstance: Circumstance) throws {
    var machine = try machine(.admitted)
    Self.apply(circumstance, to: &machine)

    #expect(machine.claimSkipped() == circumstance.readiness)

    #expect(machine.isUnclaimed == (circumstance.readiness != .skipped))
  }

  // MARK: Running

  @Test(
    "A start runs what nobody else runs",
    arguments: [
      (.idle, .run), (.enqueued, .alreadyEnqueued), (.admitted, .alreadyEnqueued), (.claimedByQueue, .alreadyEnqueued),
      (.claimedByStart, .alreadyExecuting), (.executing, .alreadyExecuting), (.executingInCaller, .alreadyExecuting),
      (.finishing, .nothing), (.finished, .nothing),
    ] as [(Stage, OperationStateMachine.StartAction)])
  func start(stage: Stage, action: OperationStateMachine.StartAction) throws {
    var machine = try machine(stage)
    let before = machine.snapshot

    #expect(machine.start() == action)

    #expect(machine.snapshot == before)
    if stage == .idle { #expect(machine.start() == .alreadyExecuting) }
  }

  @Test("A start skips what is skipped, and leaves a blocked operation idle", arguments: Circumstance.allCases)
  func startHeldBack(circumstance: Circumstance) throws {
    var machine = try machine(.idle)
    Self.apply(circumstance, to: &machine)
    let action: Machine.StartAction =
      switch circumstance.readiness {
      case .blocked: .notReady
      case .ready: .run
      case .skipped: .skip
      }

    #expect(machine.start() == action)
    #expect(machine.isUnclaimed == (action == .notReady))
  }

  /// What a beginning came to, in short.
  private enum Beginning: Equatable { case run, skip, notReady(OperationReadiness) }

  private func begin(_ machine: inout Machine, isPrefetched: Bool = false) throws -> Beginning {
    let task: BodyTask = try #require(BodyTask.current)
    return switch machine.begin(in: task, isPrefetched: isPrefetched) {
    case .run: .run
    case .skip: .skip
    case .notReady(let readiness, _): .notReady(readiness)
    }
  }

  @Test("The body of a claimed operation begins, unless the operation was cancelled since", arguments: Stage.claimed)
  func begin(stage: Stage) throws {
    var machine = try machine(stage)
    var cancelled = machine
    _ = cancelled.cancel()

    #expect(try begin(&machine) == .run)
    #expect(machine.snapshot == OperationSnapshot(state: .executing, isCancelled: false))
    #expect((machine.assignment != nil) == (stage == .claimedByQueue))
    #expect(try begin(&cancelled) == .skip)
    #expect(cancelled.snapshot == OperationSnapshot(state: .ready, isCancelled: true))
  }

  @Test(
    "A prefetched operation is claimed when it begins, and only runs where it is ready",
    arguments: Circumstance.allCases)
  func beginPrefetched(circumstance: Circumstance) throws {
    var machine = try machine(.admitted)
    Self.apply(circumstance, to: &machine)

    let beginning = try begin(&machine, isPrefetched: true)

    #expect(beginning == (circumstance == .free ? .run : .notReady(circumstance.readiness)))
    #expect(machine.isUnclaimed == (circumstance == .unfinished))
  }

  @Test(
    "A body that begins is handed over together with the operation of a queue, and held no longer",
    arguments: Stage.claimed)
  func bodyOfBegun(stage: Stage) throws {
    let gone = Gate()
    func makeMachine() -> Machine {
      let canary = Canary(gone)
      return Machine(body: .start { canary.sing() }, queuePriority: .normal)
    }
    var machine = makeMachine()
    try bring(&machine, to: stage)
    #expect(!gone.isOpen)

    func isHandedOver() -> Bool {
      switch machine.begin(in: BodyTask?.none) {
      case .run(let body, let operation, _):
        withExtendedLifetime(body) { !gone.isOpen && (operation != nil) == (stage == .claimedByQueue) }
      case .skip: false
      case .notReady: false
      }
    }

    #expect(isHandedOver())
    #expect(gone.isOpen)
  }
}
