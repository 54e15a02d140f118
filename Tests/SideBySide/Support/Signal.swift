import Dispatch
import Foundation

/// Something that comes once or not at all.
///
/// Unchecked, because `NSCondition` guards the variables without the compiler's knowing. The proof: they are touched
/// under it alone.
final class Signal: @unchecked Sendable {
  /// What has not come by then does not come; what comes takes less than a millisecond.
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

  /// Blocks the calling thread until it comes, or does not.
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

  /// Suspends until it comes, or does not.
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
