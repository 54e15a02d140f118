import Foundation

extension Operation {
  /// Whether the operation finishes in time; an operation that depends on it signals that.
  func finishes() -> Bool {
    let signal = Signal()
    let watcher = BlockOperation { signal.open() }
    watcher.addDependency(self)
    let queue = OperationQueue()
    queue.addOperation(watcher)
    // Foundation may miss that the operation becomes ready while it is added. That is a scenario of its own; here it is
    // worked around.
    if watcher.isReady { watcher.didChangeValue(forKey: "isReady") }
    return signal.comesBlocking()
  }
}

extension OperationQueue {
  convenience init(_ width: Int, isSuspended: Bool = false) {
    self.init()
    maxConcurrentOperationCount = width
    self.isSuspended = isSuspended
  }
}

/// Gives everything in Foundation's queues that can run the time to do so.
func settleOld() {
  for _ in 0..<20 {
    let signal = Signal()
    OperationQueue().addOperation { signal.open() }
    signal.comesBlocking()
  }
}
