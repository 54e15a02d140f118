import Foundation

/// The Foundation queues that this module creates.
enum OldQueues {
  /// The queue of operations that wait for others, which user code cannot cancel or suspend.
  static let watchers: OperationQueue = {
    let queue = OperationQueue()
    queue.name = "StructuredOperationsFoundation"
    return queue
  }()

  /// A queue for one operation and the operations that it adds to its queue.
  static func make(for old: Operation) -> OperationQueue {
    let queue = OperationQueue()
    queue.name = old.name ?? "\(type(of: old))"
    queue.qualityOfService = old.qualityOfService
    return queue
  }
}
