/// How an operation ended, whatever the type of its output.
enum ErasedOutcome: Sendable {
  case success(OperationOutput)
  /// The error as a ``KeptError`` keeps it.
  case failure(any Error)
  case cancelled
  /// The operation was freed, and its outcome with it; the remaining references never read it.
  case released

  var isSuccess: Bool { if case .success = self { true } else { false } }

  /// The outcome with the type of the operation's output; nil where it was released.
  func typed<Output>(as type: Output.Type) -> OperationOutcome<Output>? {
    switch self {
    case .success(let output): .success(output.value(of: type))
    case .failure(let error): .failure(KeptError.restored(error))
    case .cancelled: .cancelled
    case .released: nil
    }
  }

  var kind: OutcomeKind {
    switch self {
    case .success: .succeeded
    case .failure: .failed
    case .cancelled: .cancelled
    case .released: preconditionFailure("an operation finished with an outcome that was released")
    }
  }

  /// The error of a failure, as it is kept.
  var failure: (any Error)? { if case .failure(let error) = self { error } else { nil } }

  /// What may hold other operations, for ``IterativeRelease``.
  var owner: AnyObject? {
    switch self {
    case .success(let output): output.owner
    case .failure(let error): IterativeRelease.Box(error)
    case .cancelled, .released: nil
    }
  }
}
