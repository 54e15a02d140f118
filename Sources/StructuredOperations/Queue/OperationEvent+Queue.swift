extension OperationEvent {
  /// The queue that the operation is in, or was in until it finished; nil where it was started by hand.
  public var queue: AsyncOperationQueue? { subject.queue as? AsyncOperationQueue }
}
