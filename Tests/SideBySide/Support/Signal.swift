import Dispatch
import Foundation

/// A signal that is given once or never; waiting for it has a time limit.
///
/// Unchecked, because the compiler does not know that `NSCondition` guards the variables. The proof: they are only
/// accessed while it is locked.
final class Signal: @unchecked Sendable {
  /// After this time the signal counts as not given; one that is given usually takes less than a millisecond.
  static let limit: TimeInterval = 4

  private let condition = NSCondition()
  private var isGiven = false
  private var waiters: [UUID: CheckedContinuation<Bool, Never>] = [:]

  var isOpen: Bool { condition.withLock { isGiven } }

  func open() {
    let waiters = condition.withLock {
      isGiven = true
      condition.broadcast()
      defer { self.waiters = [:] }
      return self.waiters.values
    }
    for waiter in waiters { waiter.resume(returning: true) }
  }

  /// Blocks the calling thread until the signal is given or the time is up.
  @discardableResult
  func comesBlocking(within limit: TimeInterval = Signal.limit) -> Bool {
    let deadline = limit.isFinite ? Date(timeIntervalSinceNow: limit) : nil
    return condition.withLock {
      while !isGiven {
        guard let deadline else {
          condition.wait()
          continue
        }
        if !condition.wait(until: deadline) { break }
      }
      return isGiven
    }
  }

  /// Suspends until the signal is given or the time is up.
  @discardableResult
  func comes(within limit: TimeInterval = Signal.limit) async -> Bool {
    let id = UUID()
    return await withCheckedContinuation { waiter in
      let isGiven = condition.withLock {
        if !self.isGiven { waiters[id] = waiter }
        return self.isGiven
      }
      if isGiven { return waiter.resume(returning: true) }
      guard limit.isFinite else { return }
      DispatchQueue.global().asyncAfter(deadline: .now() + limit) {
        let waiter = self.condition.withLock { self.waiters.removeValue(forKey: id) }
        waiter?.resume(returning: false)
      }
    }
  }
}
