import Foundation

/// How far an operation of Foundation's that runs one of ours has got.
///
/// Unchecked, because `NSLock` guards the phase without the compiler's knowing. The proof: it is touched under it alone.
final class BridgeProgress: @unchecked Sendable {
  private enum Phase {
    /// Not started. Can transition to begun.
    case idle
    /// Started. Can transition to finished.
    case begun(isCancelled: Bool)
    /// Terminal.
    case finished
  }

  /// What `start()` does next.
  enum BeginAnswer { case run, alreadyExecuting, alreadyFinished }

  private let lock = NSLock()
  private var phase = Phase.idle

  /// - Parameter isCancelled: An operation that was cancelled before does not execute, it only finishes (ST-05).
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
