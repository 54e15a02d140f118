import StructuredOperations

@testable import StructuredOperationsInsight

/// Tells a recorder what happens, second by second.
struct Recording {
  private(set) var machine: JournalStateMachine
  private(set) var now = Duration.zero
  let queue = Token()

  init(capacity: Int = 1_000) { machine = JournalStateMachine(capacity: capacity) }

  var history: OperationHistory { machine.history(at: now) }

  mutating func wait(_ seconds: Int) { now += .seconds(seconds) }

  mutating func turnBack(_ seconds: Int) { now -= .seconds(seconds) }

  /// - Parameter queue: Nil stands for the recording's own.
  mutating func add(
    _ operation: Token, _ name: String = "", to queue: Token? = nil, named queueName: String = "queue",
    after dependencies: [Token] = [], by parent: Token? = nil, isCancelled: Bool = false
  ) {
    let traits = JournalTraits(
      name: .given(name), queue: queue ?? self.queue, queueName: queueName, isCancelled: isCancelled,
      dependencies: dependencies)
    machine.added(operation, traits, by: parent, at: now)
    if !isCancelled { dependencies.isEmpty ? ready(operation) : block(operation, by: dependencies) }
  }

  mutating func addByHand(_ operation: Token, _ name: String = "") {
    machine.added(operation, JournalTraits(name: .given(name)), by: nil, at: now)
  }

  mutating func block(_ operation: Token, by dependencies: [Token]) {
    machine.blocked(operation, by: dependencies, at: now)
  }

  mutating func ready(_ operation: Token, after cause: Token? = nil) { machine.ready(operation, after: cause, at: now) }

  @discardableResult
  mutating func start(_ operation: Token, after dependencies: [Token] = [], _ priority: QueuePriority = .normal) -> Bool
  {
    machine.started(operation, priority, after: dependencies, at: now)
  }

  /// - Parameter queue: Where everything in one is waited for.
  mutating func beginWait(_ operation: Token, for other: Token? = nil, queue: Token? = nil) {
    machine.waitBegan(operation, for: other, queue: queue, at: now)
  }

  mutating func endWait(_ operation: Token) { machine.waitEnded(operation, at: now) }

  mutating func cancel(_ operation: Token, _ dependencies: [Token] = []) {
    machine.cancelled(operation, dependingOn: dependencies, at: now)
  }

  @discardableResult
  mutating func finish(
    _ operation: Token, _ outcome: OperationHistory.Outcome = .succeeded, isCancelled: Bool = false,
    after dependencies: [Token] = []
  ) -> Bool {
    let ending = JournalEnding(outcome: outcome, isCancelled: isCancelled, dependencies: dependencies)
    return machine.finished(operation, ending, at: now)
  }

  /// Adds, starts and finishes an operation that takes no time.
  mutating func run(
    _ operation: Token, _ name: String = "", in queue: Token? = nil, named queueName: String = "queue"
  ) {
    add(operation, name, to: queue, named: queueName)
    start(operation)
    finish(operation)
  }
}

extension OperationHistory.Entry {
  /// The spans in words, such as `ready 0-3` and `executing 3-5 in 1`.
  var story: [String] {
    spans.map { span in
      let slot = span.slot.map { " in \($0)" } ?? ""
      let cause = span.cause.map { " for \($0)" } ?? ""
      return "\(span.kind) \(span.start.components.seconds)-\(span.end.components.seconds)\(slot)\(cause)"
    }
  }
}
