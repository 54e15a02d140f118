import StructuredOperations

/// What a journal has noted of one operation.
struct JournalRecord: Sendable {
  /// What the operation does at present.
  enum Phase: Sendable {
    /// Added; whether it is blocked or ready is told next.
    case undecided
    case blocked
    case ready
    case executing(slot: Int)
    case waiting(for: Awaited)
    case finished
    /// Kept no longer.
    case forgotten
  }

  /// What a body waits for.
  enum Awaited: Sendable {
    /// Something that is neither an operation nor a queue.
    case unknown
    case operation(JournalLink)
    /// Everything in a queue, to which nothing of what the journal knows may belong yet.
    case queue(ObjectIdentifier, JournalAddress)
  }

  /// What ended a phase, as far as it is known.
  struct Cause: Sendable {
    var operation: Int?
    /// The number of the queue all of which was waited for.
    var queue: Int?
  }

  /// Names the operation as long as it lives.
  let key: ObjectIdentifier
  let id: Int
  private(set) var name: JournalName
  /// The index of its queue.
  let queue: Int
  var queuePriority: QueuePriority
  var isCancelled: Bool
  let parent: Int?
  let addedAt: Duration
  var dependencies: [JournalLink]
  var outcome = OperationHistory.Outcome.unfinished
  private(set) var phase = Phase.undecided
  /// When the phase began.
  private(set) var time: Duration
  private(set) var hasBegun = false
  /// Without the present phase.
  private(set) var spans: [OperationHistory.Span] = []

  init(
    key: ObjectIdentifier, id: Int, traits: JournalTraits, queue: Int, parent: Int?, dependencies: [JournalLink],
    time: Duration
  ) {
    self.key = key
    self.id = id
    name = traits.name
    self.queue = queue
    queuePriority = traits.queuePriority
    isCancelled = traits.isCancelled
    self.parent = parent
    self.dependencies = dependencies
    addedAt = time
    self.time = time
    spans.reserveCapacity(2)
  }

  var isFinished: Bool { if case .finished = phase { true } else { false } }

  var isForgotten: Bool { if case .forgotten = phase { true } else { false } }

  var isBlocked: Bool { if case .blocked = phase { true } else { false } }

  var isWaiting: Bool { if case .waiting = phase { true } else { false } }

  var canBegin: Bool { !isFinished && !hasBegun }

  /// The slot that the body has at present.
  var slot: Int? { if case .executing(let slot) = phase { slot } else { nil } }

  /// The first phase begins when the operation was added, the others now.
  ///
  /// - Parameter cause: What ended the present phase.
  mutating func enter(_ next: Phase, at now: Duration, cause: Cause = Cause()) {
    switch (phase, next) {
    case (.undecided, .blocked), (.undecided, .ready): break
    default:
      if let span = presentSpan(until: now, cause: cause) { spans.append(span) }
      time = now
    }
    if case .executing = next { hasBegun = true }
    phase = next
  }

  /// Frees what was noted of a finished operation.
  mutating func forget() {
    phase = .forgotten
    name = .given("")
    dependencies = []
    spans = []
  }

  /// The present phase as a span; nil where it tells nothing.
  func presentSpan(until end: Duration, cause: Cause) -> OperationHistory.Span? {
    switch phase {
    case .blocked where end > time:
      OperationHistory.Span(kind: .blocked, start: time, end: end, slot: nil, cause: cause.operation)
    case .ready where end > time, .undecided where end > time:
      OperationHistory.Span(kind: .ready, start: time, end: end, slot: nil, cause: nil)
    case .executing(let slot):
      OperationHistory.Span(kind: .executing, start: time, end: end, slot: slot, cause: nil)
    case .waiting:
      OperationHistory.Span(
        kind: .waiting, start: time, end: end, slot: nil, cause: cause.operation, queueNumber: cause.queue)
    case .undecided, .blocked, .ready, .finished, .forgotten:
      nil
    }
  }
}

/// Another operation that one depends on or waits for.
struct JournalLink: Sendable {
  let key: ObjectIdentifier
  /// Nil where that operation was not known when the link was noted.
  let id: Int?
  /// Kept where it was not known, so that what is found later under the address is that operation.
  ///
  /// Example: B is added and depends on A, which is in no queue. The dependency is removed, of which nothing is told, and A is
  /// freed. C is added, and would have A's address.
  private let address: JournalAddress?

  init(to object: JournalStateMachine.Object, id: Int?) {
    key = ObjectIdentifier(object)
    self.id = id
    address = id == nil ? JournalAddress(object: object) : nil
  }

  private init(key: ObjectIdentifier, id: Int) { (self.key, self.id, address) = (key, id, nil) }

  /// The link once the operation is known.
  func resolved(to id: Int) -> JournalLink { JournalLink(key: key, id: id) }
}
