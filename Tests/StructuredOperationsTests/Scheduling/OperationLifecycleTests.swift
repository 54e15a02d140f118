import Testing

@testable import StructuredOperations

@Suite("OperationLifecycle")
struct OperationLifecycleTests {
  /// The phases of an operation, as they are come to.
  enum Phase: CaseIterable { case idle, enqueued, claimedByQueue, claimedByStart, executing, concluded, settled }

  /// An operation in a phase, with nothing that holds it back.
  static func lifecycle(_ phase: Phase) -> OperationLifecycle {
    var lifecycle = OperationLifecycle(queuePriority: .normal)
    switch phase {
    case .idle: break
    case .enqueued:
      #expect(lifecycle.enqueue() == .enqueued)
    case .claimedByQueue:
      lifecycle = Self.lifecycle(.enqueued)
      #expect(lifecycle.claim() == .ready)
    case .claimedByStart:
      #expect(lifecycle.start() == .run)
    case .executing:
      lifecycle = Self.lifecycle(.claimedByQueue)
      #expect(lifecycle.begin() == true)
    case .concluded:
      lifecycle = Self.lifecycle(.executing)
      lifecycle.conclude()
    case .settled:
      lifecycle = Self.lifecycle(.concluded)
      lifecycle.settle()
    }
    return lifecycle
  }

  @Test(
    "What observers, queues and waiters are told follows from the phase",
    arguments: [
      (.idle, .ready, isInQueue: false, isOpen: true, isFinished: false, isSettled: false),
      (.enqueued, .ready, isInQueue: true, isOpen: true, isFinished: false, isSettled: false),
      (.claimedByQueue, .ready, isInQueue: true, isOpen: false, isFinished: false, isSettled: false),
      (.claimedByStart, .ready, isInQueue: false, isOpen: false, isFinished: false, isSettled: false),
      (.executing, .executing, isInQueue: true, isOpen: false, isFinished: false, isSettled: false),
      (.concluded, .finished, isInQueue: false, isOpen: false, isFinished: true, isSettled: false),
      (.settled, .finished, isInQueue: false, isOpen: false, isFinished: true, isSettled: true),
    ] as [(Phase, OperationState, isInQueue: Bool, isOpen: Bool, isFinished: Bool, isSettled: Bool)])
  func phases(
    phase: Phase,
    state: OperationState,
    isInQueue: Bool,
    isOpen: Bool,
    isFinished: Bool,
    isSettled: Bool
  ) {
    let lifecycle = Self.lifecycle(phase)

    #expect(lifecycle.snapshot == OperationSnapshot(state: state, isCancelled: false))
    #expect(lifecycle.isInQueue == isInQueue)
    #expect(lifecycle.isOpen == isOpen)
    #expect(lifecycle.isFinished == isFinished)
    #expect(lifecycle.isSettled == isSettled)
  }

  @Test(
    "A queue may have an operation once, before anybody runs it",
    arguments: [
      (.idle, .enqueued), (.enqueued, .alreadyEnqueued), (.claimedByQueue, .alreadyEnqueued),
      (.claimedByStart, .alreadyExecuting), (.executing, .alreadyExecuting), (.concluded, .alreadyFinished),
      (.settled, .alreadyFinished),
    ] as [(Phase, OperationLifecycle.EnqueueAnswer)])
  func enqueue(phase: Phase, answer: OperationLifecycle.EnqueueAnswer) {
    var lifecycle = Self.lifecycle(phase)
    let before = lifecycle.snapshot

    #expect(lifecycle.enqueueAnswer == answer)
    #expect(lifecycle.enqueue() == answer)

    #expect(lifecycle.snapshot == before)
    #expect(lifecycle.isInQueue == Self.lifecycle(phase).isInQueue || phase == .idle)
  }

  @Test("A pending or cancelled operation may be enqueued like any other", arguments: [false, true])
  func enqueueHeldBack(isCancelled: Bool) {
    var lifecycle = Self.lifecycle(.idle)
    _ = lifecycle.dependencyChanged(from: nil, to: .unfinished)
    if isCancelled { _ = lifecycle.cancel() }

    #expect(lifecycle.enqueue() == .enqueued)
    #expect(lifecycle.isInQueue)
  }

  @Test("One that was withdrawn from a queue can be enqueued or started as if it had never been there")
  func withdraw() {
    var lifecycle = Self.lifecycle(.enqueued)

    lifecycle.withdraw()

    #expect(!lifecycle.isInQueue)
    #expect(lifecycle.enqueueAnswer == .enqueued)
    #expect(lifecycle.start() == .run)
  }

  @Test(
    "Start runs what nobody else runs",
    arguments: [
      (.idle, .run), (.enqueued, .alreadyEnqueued), (.claimedByQueue, .alreadyEnqueued),
      (.claimedByStart, .alreadyExecuting), (.executing, .alreadyExecuting), (.concluded, .doNothing),
      (.settled, .doNothing),
    ] as [(Phase, OperationLifecycle.StartAnswer)])
  func start(phase: Phase, answer: OperationLifecycle.StartAnswer) {
    var lifecycle = Self.lifecycle(phase)
    let before = lifecycle.snapshot

    #expect(lifecycle.start() == answer)

    #expect(lifecycle.snapshot == before)
    if phase == .idle { #expect(lifecycle.start() == .alreadyExecuting) }
  }

  /// What holds an operation back, or lets it through.
  enum Circumstance: CaseIterable {
    case free, unfinished, failed, cancelled, unfinishedAndFailed, unfinishedAndCancelled
  }

  static func apply(_ circumstance: Circumstance, to lifecycle: inout OperationLifecycle) {
    switch circumstance {
    case .free: break
    case .unfinished: _ = lifecycle.dependencyChanged(from: nil, to: .unfinished)
    case .failed: _ = lifecycle.dependencyChanged(from: nil, to: .failed)
    case .cancelled: _ = lifecycle.cancel()
    case .unfinishedAndFailed:
      apply(.unfinished, to: &lifecycle)
      apply(.failed, to: &lifecycle)
    case .unfinishedAndCancelled:
      apply(.unfinished, to: &lifecycle)
      apply(.cancelled, to: &lifecycle)
    }
  }

  private static let standings:
    [(circumstance: Circumstance, standing: OperationStanding, answer: OperationLifecycle.StartAnswer)] = [
      (.free, .ready, .run), (.unfinished, .pending, .notReady), (.failed, .leaving, .conclude),
      (.cancelled, .leaving, .conclude), (.unfinishedAndFailed, .leaving, .conclude),
      (.unfinishedAndCancelled, .leaving, .conclude),
    ]

  @Test("An unfinished dependency holds back; a failed one and a cancellation let through", arguments: standings)
  func standing(circumstance: Circumstance, standing: OperationStanding, answer: OperationLifecycle.StartAnswer) {
    for phase in [Phase.idle, .enqueued] {
      var lifecycle = Self.lifecycle(phase)

      Self.apply(circumstance, to: &lifecycle)

      #expect(lifecycle.standing == standing)
      #expect(lifecycle.snapshot.state == (standing == .pending ? .pending : .ready))
    }
  }

  @Test("A queue's claim tells how the operation stands, and leaves a pending one where it is", arguments: standings)
  func claim(circumstance: Circumstance, standing: OperationStanding, answer: OperationLifecycle.StartAnswer) {
    var lifecycle = Self.lifecycle(.enqueued)
    Self.apply(circumstance, to: &lifecycle)

    #expect(lifecycle.claim() == standing)

    #expect(lifecycle.isOpen == (standing == .pending))
    #expect(lifecycle.isInQueue)
    if standing == .pending {
      #expect(lifecycle.dependencyChanged(from: .unfinished, to: .finished) == true)
      #expect(lifecycle.claim() == .ready)
    }
  }

  @Test(
    "A start runs a ready operation, concludes one that leaves, and leaves a pending one where it is",
    arguments: standings)
  func startHeldBack(
    circumstance: Circumstance,
    standing: OperationStanding,
    answer: OperationLifecycle.StartAnswer
  ) {
    var lifecycle = Self.lifecycle(.idle)
    Self.apply(circumstance, to: &lifecycle)

    #expect(lifecycle.start() == answer)
    #expect(lifecycle.isOpen == (answer == .notReady))
  }

  @Test(
    "A chosen operation's body begins, unless it was cancelled meanwhile",
    arguments: [Phase.claimedByQueue, .claimedByStart])
  func begin(phase: Phase) {
    var lifecycle = Self.lifecycle(phase)
    var cancelled = lifecycle
    #expect(cancelled.cancel() == .nothing)

    #expect(lifecycle.begin() == true)
    #expect(lifecycle.snapshot == OperationSnapshot(state: .executing, isCancelled: false))
    #expect(cancelled.begin() == false)
    #expect(cancelled.snapshot == OperationSnapshot(state: .ready, isCancelled: true))
  }

  @Test(
    "A cancellation tells the queue of one that waits there, and the task of one that runs",
    arguments: [
      (.idle, .nothing, true), (.enqueued, .tellQueue, true), (.claimedByQueue, .nothing, true),
      (.claimedByStart, .nothing, true), (.executing, .cancelTask, true), (.concluded, .nothing, false),
      (.settled, .nothing, false),
    ] as [(Phase, OperationLifecycle.CancelAction, Bool)])
  func cancel(phase: Phase, action: OperationLifecycle.CancelAction, isCancelled: Bool) {
    var lifecycle = Self.lifecycle(phase)
    let state = lifecycle.snapshot.state

    #expect(lifecycle.cancel() == action)
    #expect(lifecycle.snapshot == OperationSnapshot(state: state, isCancelled: isCancelled))
    #expect(lifecycle.cancel() == .nothing, "a second cancellation does nothing")
    #expect(lifecycle.snapshot == OperationSnapshot(state: state, isCancelled: isCancelled))
  }

  @Test("A cancelled operation stays cancelled to its end")
  func cancelledToTheEnd() {
    var lifecycle = Self.lifecycle(.executing)
    _ = lifecycle.cancel()

    lifecycle.conclude()
    #expect(lifecycle.snapshot == OperationSnapshot(state: .finished, isCancelled: true))
    lifecycle.settle()
    #expect(lifecycle.snapshot == OperationSnapshot(state: .finished, isCancelled: true))
  }

  @Test(
    "An operation that has not finished can finish from every phase",
    arguments: [Phase.idle, .enqueued, .claimedByQueue, .claimedByStart, .executing])
  func conclude(phase: Phase) {
    var lifecycle = Self.lifecycle(phase)

    lifecycle.conclude()

    #expect(lifecycle.isFinished)
    #expect(!lifecycle.isSettled)
    #expect(!lifecycle.isInQueue)
    lifecycle.settle()
    #expect(lifecycle.isSettled)
  }

  @Test("A finished operation is finished, whatever held it back before", arguments: Circumstance.allCases)
  func finishedState(circumstance: Circumstance) {
    var lifecycle = Self.lifecycle(.idle)
    Self.apply(circumstance, to: &lifecycle)

    lifecycle.conclude()

    #expect(lifecycle.snapshot.state == .finished)
  }
}
