import Foundation
import TestSupport

/// An operation of the old kind that ends when a test says so: asynchronous, with notifications, a result and an error.
///
/// Unchecked as its superclass is. The proof: what changes is behind a lock.
final class OldOperation: Operation, @unchecked Sendable {
  private struct Flags: Sendable {
    var isExecuting = false
    var isFinished = false
    var startCount = 0
    var result: Result<Int, any Error>?
  }

  private let flags = Locked(Flags())
  /// Opens when it is started.
  let begun = Gate()
  /// Opens when somebody asks what it depends on.
  let asked = Gate()

  override var isAsynchronous: Bool { true }
  override var dependencies: [Operation] {
    asked.open()
    return super.dependencies
  }
  override var isExecuting: Bool { flags.current.isExecuting }
  override var isFinished: Bool { flags.current.isFinished }
  /// Nil where it was cancelled before it began, or has not finished.
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
