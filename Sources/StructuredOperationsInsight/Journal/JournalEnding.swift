import StructuredOperations

/// What a journal has to know of an operation that has finished.
struct JournalEnding: Sendable {
  var outcome = OperationHistory.Outcome.succeeded
  var isCancelled = false
  /// As far as they are still there.
  var dependencies: [JournalStateMachine.Object] = []
}

extension JournalEnding {
  init(of operation: any OperationProtocol) {
    isCancelled = operation.isCancelled
    dependencies = operation.dependencyObjects
    if let error = operation.error {
      // A body that was not cancelled may throw a `CancellationError` as well, which is a failure then.
      outcome = isCancelled && error is CancellationError ? .cancelled : .failed("\(error)".shown(1_000))
    }
  }
}
