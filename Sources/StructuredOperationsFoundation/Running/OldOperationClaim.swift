import Foundation
import StructuredOperations
import Synchronization

/// The right to run an operation of Foundation's, which only one has at a time.
struct OldOperationClaim: Sendable {
  /// The old operations that operations of ours run: Foundation ends the program where one is given to two queues.
  private static let claimed = Mutex<Set<ObjectIdentifier>>([])

  /// Held, so that no other operation gets the identifier.
  private let old: Operation

  /// - Throws: `OperationError` where somebody else has run, runs or is going to run the operation.
  init(on old: Operation) throws {
    if old.isFinished { throw OperationError.alreadyFinished }
    if old.isExecuting { throw OperationError.alreadyExecuting }
    if Self.isEnqueued(old) { throw OperationError.alreadyEnqueued }
    guard Self.claimed.withLock({ $0.insert(ObjectIdentifier(old)).inserted }) else {
      throw OperationError.alreadyEnqueued
    }
    self.old = old
  }

  /// The old operation has finished, which keeps others from it for good.
  func end() {
    _ = Self.claimed.withLock { $0.remove(ObjectIdentifier(old)) }
  }

  /// Whether an operation waits in a queue, as far as can be seen.
  ///
  /// Foundation does not tell, and ends the program where such an operation is added or started. Outside of Apple's
  /// platforms it is written in Swift, so that a mirror sees the queue; where it does not, Foundation has the last word.
  private static func isEnqueued(_ operation: Operation) -> Bool {
    var mirror: Mirror? = Mirror(reflecting: operation)
    while let one = mirror, one.subjectType != Operation.self { mirror = one.superclassMirror }
    let queue = mirror?.children.first { $0.label == "__queue" }
    return queue?.value as? Unmanaged<OperationQueue> != nil
  }
}
