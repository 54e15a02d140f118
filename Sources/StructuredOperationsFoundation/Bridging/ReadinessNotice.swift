import Dispatch
import Foundation

/// Repeats the notification of `isReady` after each read of it that returned true.
///
/// Works around a race in `OperationQueue`, which caches the readiness of an operation without a lock while the operation is
/// added. For example, thread A adds an operation and reads `isReady` as false.
/// Thread B makes it ready and notifies the queue. A then stores false, and the operation is never started. The queue
/// reads `isReady` once more at the end of adding, so a notification after that read corrects the cache.
///
/// Unchecked, because the compiler does not know that `NSLock` protects the state. It is accessed only under the lock.
final class ReadinessNotice: @unchecked Sendable {
  private enum State {
    case none
    /// A notification has been scheduled.
    case scheduled
    /// The thread is notifying. Reads on this thread result from the notification; reads on others need another one.
    case notifying(Thread, isNeededAgain: Bool)
  }

  private let lock = NSLock()
  private var state = State.none

  /// Schedules a notification after a read of `isReady` that returned true.
  func wasRead(of operation: Operation) {
    let isNew = lock.withLock {
      switch state {
      case .none:
        state = .scheduled
        return true
      case .scheduled: return false
      case .notifying(let thread, _):
        if thread !== Thread.current { state = .notifying(thread, isNeededAgain: true) }
        return false
      }
    }
    // On another thread, because the calling one may hold the queue's lock.
    if isNew { DispatchQueue.global().async { [weak operation] in if let operation { self.notify(operation) } } }
  }

  private func notify(_ operation: Operation) {
    var isNeeded = true
    while isNeeded {
      lock.withLock { state = .notifying(Thread.current, isNeededAgain: false) }
      operation.willChangeValue(forKey: "isReady")
      operation.didChangeValue(forKey: "isReady")
      isNeeded = lock.withLock {
        guard case .notifying(_, isNeededAgain: true) = state else {
          state = .none
          return false
        }
        return true
      }
    }
  }
}
