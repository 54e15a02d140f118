import Dispatch
import Foundation

/// Tells Foundation once more that an operation is ready, each time that somebody has read it.
///
/// A queue reads readiness while it takes an operation in, and writes down what it read. Outside of Apple's platforms
/// it does so without a lock: an operation that becomes ready at the same time may be written down as not ready after
/// its notification, and is never started. That queue reads again at the end of adding, so to notify it of what it has
/// read then puts it right.
///
/// Unchecked, because `NSLock` guards the state without the compiler's knowing. The proof: it is touched under it alone.
final class ReadinessNotice: @unchecked Sendable {
  private enum State {
    case none
    /// A notification is on its way.
    case due
    /// The thread notifies, and what it reads meanwhile is its own doing; what others read asks for another one.
    case notifying(Thread, isDueAgain: Bool)
  }

  private let lock = NSLock()
  private var state = State.none

  /// The operation was ready when it was read.
  func noticed(by operation: Operation) {
    // Apple's queue decides under a lock, and might take each notification as a reason to read again.
    #if !canImport(Darwin)
      let isNew = lock.withLock {
        switch state {
        case .none:
          state = .due
          return true
        case .due: return false
        case .notifying(let thread, _):
          if thread !== Thread.current { state = .notifying(thread, isDueAgain: true) }
          return false
        }
      }
      // On another thread, since the one that reads may hold the queue's lock.
      if isNew { DispatchQueue.global().async { [weak operation] in if let operation { self.notify(operation) } } }
    #endif
  }

  private func notify(_ operation: Operation) {
    var isDue = true
    while isDue {
      lock.withLock { state = .notifying(Thread.current, isDueAgain: false) }
      operation.willChangeValue(forKey: "isReady")
      operation.didChangeValue(forKey: "isReady")
      isDue = lock.withLock {
        guard case .notifying(_, isDueAgain: true) = state else {
          state = .none
          return false
        }
        return true
      }
    }
  }
}
