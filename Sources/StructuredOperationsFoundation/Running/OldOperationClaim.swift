import Foundation
import StructuredOperations

/// The exclusive right to run a Foundation operation.
struct OldOperationClaim: Sendable {
  /// The operations claimed at present, because Foundation stops the program if one is added to two queues.
  private static let claimed = Guarded<Set<ObjectIdentifier>>([])

  /// A strong reference, so that no other object gets the same `ObjectIdentifier`.
  private let old: Operation

  /// - Throws: `OperationError` if the operation has finished, is executing, or is claimed or enqueued already.
  init(on old: Operation) throws {
    if old.isFinished { throw OperationError.alreadyFinished }
    if old.isExecuting { throw OperationError.alreadyExecuting }
    if Self.isEnqueued(old) { throw OperationError.alreadyEnqueued }
    guard Self.claimed.withLock({ $0.insert(ObjectIdentifier(old)).inserted }) else {
      throw OperationError.alreadyEnqueued
    }
    self.old = old
    // Another claim may have run it to its end since the first question.
    if old.isFinished {
      end()
      throw OperationError.alreadyFinished
    }
  }

  /// Gives up the claim once the operation has finished, after which it cannot be claimed again.
  func end() {
    _ = Self.claimed.withLock { $0.remove(ObjectIdentifier(old)) }
  }

  /// Whether an operation is in a queue, if that can be detected.
  ///
  /// Foundation has no such query, and stops the program if an operation in a queue is added or started. Outside of
  /// Apple's platforms Foundation is written in Swift, and a mirror finds the private property that refers to the
  /// queue.
  private static func isEnqueued(_ operation: Operation) -> Bool {
    var mirror: Mirror? = Mirror(reflecting: operation)
    while let one = mirror, one.subjectType != Operation.self { mirror = one.superclassMirror }
    let queue = mirror?.children.first { $0.label == "__queue" }
    return queue?.value as? Unmanaged<OperationQueue> != nil
  }
}
