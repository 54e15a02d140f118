import Foundation

extension Operation {
  /// Whether the operation finishes, as one that depends on it finds out.
  func finishes() -> Bool {
    let signal = Signal()
    let watcher = BlockOperation { signal.open() }
    watcher.addDependency(self)
    let queue = OperationQueue()
    queue.addOperation(watcher)
    // Adding may lose the readiness that comes at the same time: that is a scenario of its own, and no part of others.
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

/// Lets everything that can happen in Foundation's queues happen.
func settleOld() {
  for _ in 0..<20 {
    let signal = Signal()
    OperationQueue().addOperation { signal.open() }
    signal.comesBlocking()
  }
}
