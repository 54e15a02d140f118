import StructuredOperations

/// What a journal has to know of an operation when it hears of it for the first time.
struct JournalTraits: Sendable {
  var name: JournalName
  var queue: JournalStateMachine.Object?
  var queueName: String?
  var queuePriority: QueuePriority = .normal
  var isCancelled = false
  var dependencies: [JournalStateMachine.Object] = []
}

extension JournalTraits {
  init(of event: OperationEvent) {
    let (operation, queue) = (event.operation, event.queue)
    self.init(
      name: JournalName(of: operation), queue: queue, queueName: queue?.name,
      queuePriority: operation.queuePriority, isCancelled: operation.isCancelled,
      dependencies: operation.dependencyObjects)
  }
}

extension OperationProtocol {
  nonisolated var dependencyObjects: [JournalStateMachine.Object] { dependencies.map { $0 } }
}
