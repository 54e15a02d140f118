import Foundation

/// Foundation's queue.
///
/// It knows no asynchronous bodies: its blocks do the same work synchronously. The functions here are synchronous,
/// because Foundation's way of waiting blocks the thread.
enum FoundationQueue {
  static func runBatch(count: Int, width: Int, body: @escaping @Sendable () -> Void) {
    let queue = makeQueue(width: width)
    queue.addOperations((0..<count).map { _ in BlockOperation(block: body) }, waitUntilFinished: false)
    queue.waitUntilAllOperationsAreFinished()
  }

  static func runOneByOne(count: Int, width: Int, body: @escaping @Sendable () -> Void) {
    let queue = makeQueue(width: width)
    for _ in 0..<count { queue.addOperation(body) }
    queue.waitUntilAllOperationsAreFinished()
  }

  private static func makeQueue(width: Int) -> OperationQueue {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = width
    return queue
  }
}
