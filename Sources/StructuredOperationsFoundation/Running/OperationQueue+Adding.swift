package import Foundation

extension OperationQueue {
  /// Adds an operation whose dependencies may finish at the same time.
  ///
  /// A queue reads readiness while it takes an operation in, and writes down what it read, outside of Apple's platforms
  /// without a lock: a notification that comes in between is overwritten, and the operation never started. So it is
  /// repeated where it may have come. Not where the operation is not ready yet: its notification finds it in the queue.
  package func addSafely(_ operation: Operation) {
    addOperation(operation)
    #if !canImport(Darwin)
      guard operation.isReady else { return }
      operation.willChangeValue(forKey: "isReady")
      operation.didChangeValue(forKey: "isReady")
    #endif
  }
}
