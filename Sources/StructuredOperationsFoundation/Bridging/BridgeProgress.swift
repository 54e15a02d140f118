import Foundation

/// The state of a ``FoundationOperation``.
///
/// Unchecked, because the compiler does not know that `NSLock` protects the phase. It is accessed only under the lock.
final class BridgeProgress: @unchecked Sendable {
  private enum Phase {
    /// Can transition to begun.
    case idle
    /// Can transition to finished.
    case begun(isCancelled: Bool)
    /// Terminal.
    case finished
  }

  /// What `start()` does next.
  enum BeginAnswer { case run, alreadyExecuting, alreadyFinished }

  private let lock = NSLock()
  private var phase = Phase.idle

  /// - Parameter isCancelled: Whether the operation was cancelled before, in which case it finishes without executing.
  func begin(isCancelled: Bool) -> BeginAnswer {
    lock.withLock {
      switch phase {
      case .idle:
        phase = .begun(isCancelled: isCancelled)
        return .run
      case .begun: return .alreadyExecuting
      case .finished: return .alreadyFinished
      }
    }
  }

  func finish() {
    lock.withLock { phase = .finished }
  }

  var hasBegun: Bool {
    lock.withLock {
      switch phase {
      case .idle: false
      case .begun, .finished: true
      }
    }
  }

  var isExecuting: Bool {
    lock.withLock {
      switch phase {
      case .begun(let isCancelled): !isCancelled
      case .idle, .finished: false
      }
    }
  }

  var isFinished: Bool {
    lock.withLock {
      switch phase {
      case .finished: true
      case .idle, .begun: false
      }
    }
  }
}
