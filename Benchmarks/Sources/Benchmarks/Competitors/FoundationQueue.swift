import Foundation

/// Foundation's queue.
///
/// It knows no asynchronous bodies: its blocks do the same work synchronously. It is used from a thread of its own,
/// because its way of waiting holds the thread that waits.
enum FoundationQueue {
  /// Makes a queue, has it filled, and waits until it is empty.
  static func run(width: Int, _ fill: @escaping @Sendable (OperationQueue) -> Void) async {
    await BlockingThread.run {
      let queue = make(width: width)
      fill(queue)
      queue.waitUntilAllOperationsAreFinished()
    }
  }

  /// Adds one block so many times, one by one.
  static func runOneByOne(count: Int, width: Int, body: @escaping @Sendable () -> Void) async {
    await run(width: width) { queue in
      for _ in 0..<count { queue.addOperation(body) }
    }
  }

  /// Adds one block so many times, as an array.
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
