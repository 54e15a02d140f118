extension OperationProtocol {
  /// Why the operation did not succeed; nil until it has finished, and where it succeeded.
  ///
  /// The error of a failure; `CancellationError` where the outcome is ``OperationOutcome/cancelled``. So operations of different
  /// output types can be asked for how they went.
  public nonisolated var error: (any Error)? {
    switch storage.outcome {
    case .failure(let error): KeptError.restored(error)
    case .cancelled: CancellationError()
    case .success, .released, nil: nil
    }
  }
}
