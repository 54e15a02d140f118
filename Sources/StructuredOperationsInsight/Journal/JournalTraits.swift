import StructuredOperations

/// What a journal has to know of an operation when it hears of it for the first time.
struct JournalTraits: Sendable {
  var name: String
  var queue: JournalStateMachine.Object?
  var queueName: String?
  var queuePriority: QueuePriority = .normal
  var isCancelled = false
  var dependencies: [JournalStateMachine.Object] = []
}

extension JournalTraits {
  init(of event: OperationEvent) {
    let operation = event.operation
    self.init(
      name: operation.nameInHistory, queue: event.queue, queueName: event.queue?.name,
      queuePriority: operation.queuePriority, isCancelled: operation.isCancelled,
      dependencies: operation.dependencyObjects)
  }
}

extension OperationProtocol {
  /// The name or, where there is none, the description without the state at its end.
  fileprivate nonisolated var nameInHistory: String {
    if let name { return name }
    let description = description
    let bytes = description.utf8
    guard let end = bytes.lastIndex(of: UInt8(ascii: "(")), end > bytes.startIndex else { return description }
    return String(description[..<bytes.index(before: end)])
  }

  nonisolated var dependencyObjects: [JournalStateMachine.Object] { dependencies.map { $0 } }
}
