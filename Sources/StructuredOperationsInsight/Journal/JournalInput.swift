import StructuredOperations

/// An event with all that has to be asked of the operation at its time, so that it can be noted a little later.
struct JournalInput: Sendable {
  enum Kind: Sendable {
    case added(JournalTraits, parent: JournalStateMachine.Object?)
    case blocked(by: [JournalStateMachine.Object])
    case ready(after: JournalStateMachine.Object?)
    /// With traits where it was started by hand, so that nothing is known of it yet.
    case started(JournalTraits?, QueuePriority, after: [JournalStateMachine.Object])
    case waitBegan(for: JournalStateMachine.Object?, queue: JournalStateMachine.Object?)
    case waitEnded
    case cancelled(dependencies: [JournalStateMachine.Object])
    case finished(JournalTraits?, JournalEnding)
  }

  let kind: Kind
  let operation: JournalStateMachine.Object
  let time: Duration
}

extension JournalInput {
  init(_ event: OperationEvent, at time: Duration) {
    let operation = event.operation
    self.operation = operation
    self.time = time
    kind =
      switch event.kind {
      case .added: .added(JournalTraits(of: event), parent: event.cause)
      case .blocked: .blocked(by: operation.dependencyObjects)
      case .ready: .ready(after: event.cause)
      case .started: .started(Self.traits(of: event), operation.queuePriority, after: operation.dependencyObjects)
      case .waitBegan: .waitBegan(for: event.cause, queue: event.awaitedQueue)
      case .waitEnded: .waitEnded
      case .cancelled: .cancelled(dependencies: operation.dependencyObjects)
      case .finished: .finished(Self.traits(of: event), JournalEnding(of: operation))
      }
  }

  private static func traits(of event: OperationEvent) -> JournalTraits? {
    event.queue == nil ? JournalTraits(of: event) : nil
  }
}

extension JournalStateMachine {
  mutating func note(_ input: JournalInput) {
    let (operation, time) = (input.operation, input.time)
    switch input.kind {
    case .added(let traits, let parent):
      added(operation, traits, by: parent, at: time)
    case .blocked(let dependencies):
      blocked(operation, by: dependencies, at: time)
    case .ready(let cause):
      ready(operation, after: cause, at: time)
    case .started(let traits, let priority, let dependencies):
      if let traits { added(operation, traits, by: nil, at: time) }
      started(operation, priority, after: dependencies, at: time)
    case .waitBegan(let awaited, let queue):
      waitBegan(operation, for: awaited, queue: queue, at: time)
    case .waitEnded:
      waitEnded(operation, at: time)
    case .cancelled(let dependencies):
      cancelled(operation, dependingOn: dependencies, at: time)
    case .finished(let traits, let ending):
      if let traits { added(operation, traits, by: nil, at: time) }
      finished(operation, ending, at: time)
    }
  }
}
