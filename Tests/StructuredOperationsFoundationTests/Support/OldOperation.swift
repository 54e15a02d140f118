import Foundation
import TestSupport

/// An asynchronous Foundation operation with a result, which a test ends by calling `end(_:)`.
///
/// Unchecked, as its superclass is. The proof: all variables are behind a lock.
final class OldOperation: Operation, @unchecked Sendable {
  private struct Flags: Sendable {
    var isExecuting = false
    var isFinished = false
    var startCount = 0
    var result: Result<Int, any Error>?
  }

  private let flags = Locked(Flags())
  /// Opened when the operation is started.
  let begun = Gate()
  /// Opened when `dependencies` is read.
  let asked = Gate()

  override var isAsynchronous: Bool { true }
  override var dependencies: [Operation] {
    asked.open()
    return super.dependencies
  }
  override var isExecuting: Bool { flags.current.isExecuting }
  override var isFinished: Bool { flags.current.isFinished }
  /// Nil if the operation has not finished, or was cancelled before it began.
  var result: Result<Int, any Error>? { flags.current.result }
  var startCount: Int { flags.current.startCount }

  override func start() {
    flags.withLock { $0.startCount += 1 }
    guard !isCancelled else { return end(nil) }
    willChangeValue(forKey: "isExecuting")
    flags.withLock { $0.isExecuting = true }
    didChangeValue(forKey: "isExecuting")
    begun.open()
  }

  func end(_ result: Result<Int, any Error>?) {
    willChangeValue(forKey: "isExecuting")
    willChangeValue(forKey: "isFinished")
    flags.withLock { flags in
      flags.isExecuting = false
      flags.isFinished = true
      flags.result = result
    }
    didChangeValue(forKey: "isExecuting")
    didChangeValue(forKey: "isFinished")
  }
}
