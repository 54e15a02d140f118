extension OperationProtocol {
  /// The snapshots of the operation: the present one, then every later change, in order, up to the finished one.
  ///
  /// None is lost and none merged, however slow the reader is. The present one is that of the moment at which this
  /// property was read; a finished operation gives its last snapshot and the end. Where the operation goes
  /// away without having run, the sequence ends, too.
  public nonisolated var states: StateSequence<OperationSnapshot> { storage.states() }
}

extension AsyncOperation where Output == Never {
  /// The operation whose body calls this, also from child tasks of the body; nil elsewhere.
  ///
  /// Tasks that a body starts by `Task { }` inherit it, and hold the operation and its queue until they end; detached
  /// ones do not.
  public static var current: (any OperationProtocol)? { ExecutionContext.current?.operation }
}
