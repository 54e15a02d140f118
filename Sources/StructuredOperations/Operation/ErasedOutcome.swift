/// How an operation ended, whatever the type of its output.
enum ErasedOutcome: Sendable {
  case success(OperationOutput)
  case failure(any Error)
  case cancelled
  /// The operation was freed, and its outcome with it; the remaining references never read it.
  case released

  var isSuccess: Bool { if case .success = self { true } else { false } }
}
