extension CompletionState {
  /// Calls a `callback:` body, and waits until its completion is called or dropped.
  ///
  /// Where that has not come about when the body returns, the operation of the calling task knows of it.
  static func run(_ callback: @Sendable (OperationCompletion<Output>) -> Void) async throws -> Output {
    try await run(callback) { completion in
      ExecutionContext.current?.operation.storage.apply { $0.callbackReturned(completion) }
    }
  }
}

extension OperationStateMachine {
  /// The body has returned, and its completion is still to be called.
  mutating func callbackReturned(_ completion: PendingCompletion) {
    guard case .executing = state else { return }
    changeRare { $0.completion = completion }
  }
}
