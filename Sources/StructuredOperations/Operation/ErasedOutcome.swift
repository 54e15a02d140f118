/// How an operation ended, whatever the type of its output.
enum ErasedOutcome: Sendable {
  case success(OperationOutput)
  /// The error as a ``KeptError`` keeps it.
  case failure(any Error)
  case cancelled
  /// The operation was freed, and its outcome with it; the remaining references never read it.
  case released

  var isSuccess: Bool { if case .success = self { true } else { false } }

  /// What may hold other operations, for ``IterativeRelease``.
  var owner: AnyObject? {
    switch self {
    case .success(let output): output.owner
    case .failure(let error): IterativeRelease.Box(error)
    case .cancelled, .released: nil
    }
  }
}
