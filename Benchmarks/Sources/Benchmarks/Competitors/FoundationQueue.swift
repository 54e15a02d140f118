import Foundation

/// Foundation's queue.
///
/// It has no asynchronous bodies: its blocks do the same work synchronously. It is used from a thread of its own,
/// because waiting for it blocks the calling thread.
enum FoundationQueue {
  /// Creates a queue, lets the closure fill it and waits until it is empty.
  static func run(width: Int, _ fill: @escaping @Sendable (OperationQueue) -> Void) async {
    await BlockingThread.run {
      let queue = make(width: width)
      fill(queue)
      queue.waitUntilAllOperationsAreFinished()
    }
  }

  /// Adds a block a number of times, one by one.
  static func runOneByOne(count: Int, width: Int, body: @escaping @Sendable () -> Void) async {
    await run(width: width) { queue in
      for _ in 0..<count { queue.addOperation(body) }
    }
  }

  /// Adds a block a number of times, as an array.
  static func runBatch(count: Int, width: Int, body: @escaping @Sendable () -> Void) async {
    await run(width: width) { queue in
      queue.addOperations((0..<count).map { _ in BlockOperation(block: body) }, waitUntilFinished: false)
    }
  }

  static func make(width: Int, isSuspended: Bool = false) -> OperationQueue {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = width
    queue.isSuspended = isSuspended
    return queue
  }
}
