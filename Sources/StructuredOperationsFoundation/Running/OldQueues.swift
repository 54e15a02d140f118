import Foundation

/// The queues of Foundation's in which old operations run for ours.
enum OldQueues {
  /// Where the ends of old operations are waited for: a queue that no old operation can reach, and cancel or suspend.
  static let watchers: OperationQueue = {
    let queue = OperationQueue()
    queue.name = "StructuredOperationsFoundation"
    return queue
  }()

  /// A queue for one old operation.
  ///
  /// It goes away when it has run that, and what that has added to it.
  static func make(for old: Operation) -> OperationQueue {
    let queue = OperationQueue()
    queue.name = old.name ?? "\(type(of: old))"
    queue.qualityOfService = old.qualityOfService
    return queue
  }
}
