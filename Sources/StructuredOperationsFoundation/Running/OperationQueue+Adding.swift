package import Foundation

extension OperationQueue {
  /// Adds an operation whose dependencies may finish at the same time.
  ///
  /// Works around the race described at ``ReadinessNotice``: if the operation is ready, its notification may have come
  /// while the queue was adding it, so it is repeated. If not, the notification will come when it is in the queue.
  package func addSafely(_ operation: Operation) {
    addOperation(operation)
    guard operation.isReady else { return }
    operation.willChangeValue(forKey: "isReady")
    operation.didChangeValue(forKey: "isReady")
  }
}
