extension OperationProtocol {
  /// Why the operation has not finished, up to the operations at which the causes end.
  ///
  /// Nothing is started or changed by asking. What it tells of one queue is true at one moment. Where causes lead to
  /// other queues, each is asked once, one after the other, so that in a running program an operation may be named that
  /// has finished meanwhile.
  ///
  /// Suspends until the actors of the queues concerned are free; holds no thread, and lends no slot. Cancelling the
  /// asking task changes nothing.
  ///
  /// - Complexity: O(n log n) in the operations of those queues, and O(their dependencies).
  public nonisolated var explanation: OperationExplanation {
    get async { await ExplanationCollector.explanation(of: self) }
  }
}

extension AsyncOperationQueue {
  /// Why the operations in the queue have not finished, in the order of addition, barriers included.
  ///
  /// The same as their ``OperationProtocol/explanation``s, all at one moment, and at the cost of one.
  public nonisolated var explanation: QueueExplanation {
    get async { await ExplanationCollector.explanation(of: self) }
  }
}
