import StructuredOperations
import Synchronization

/// Tells which operations finish without having run their commands.
///
/// An observer and not a completion block, which would be a task for each operation.
final class NotRunObserver: OperationObserver {
  private let handler: @Sendable (_ id: String, NotRunReason) -> Void
  private let interrupted = Mutex<Set<String>>([])

  /// - Parameter handler: Called once for each, before those that depend on it finish.
  init(_ handler: @escaping @Sendable (_ id: String, NotRunReason) -> Void) {
    self.handler = handler
  }

  /// Excepts an operation that is about to finish as cancelled although it has run its command.
  func wasInterrupted(_ id: String) {
    interrupted.withLock { _ = $0.insert(id) }
  }

  func observe(_ event: OperationEvent) {
    guard event.kind == .finished, let operation = event.operation as? AsyncOperation<Void>,
      let reason = NotRunReason(operation.outcome)
    else { return }
    let id = operation.name ?? "?"
    guard reason != .cancelled || interrupted.withLock({ $0.remove(id) }) == nil else { return }
    handler(id, reason)
  }
}

extension NotRunReason {
  fileprivate init?(_ outcome: OperationOutcome<Void>?) {
    switch outcome {
    case .cancelled, .failure(OperationError.dependencyFailed(on: _, underlying: is CancellationError)):
      self = .cancelled
    case .failure(OperationError.dependencyFailed(on: let root, underlying: _)):
      self = .dependencyFailed(root: root.name ?? "?")
    case .success, .failure, nil:
      return nil
    }
  }
}
