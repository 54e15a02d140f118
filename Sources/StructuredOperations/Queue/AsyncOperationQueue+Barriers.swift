extension AsyncOperationQueue {
  /// Adds a synchronous block that runs alone: after everything added before it, and before everything added after it
  /// except what one ahead of it depends on.
  ///
  /// It holds a slot and may block. It is no operation: it is neither listed nor counted, but waited for by
  /// ``waitUntilAllOperationsAreFinished()``. Cancelled by ``cancelAllOperations()``, it keeps its place and skips its
  /// block. Does not suspend.
  ///
  /// - Returns: Whether the queue takes it; false if the queue's scope has ended.
  @discardableResult
  public nonisolated(nonsending) func addBarrier(_ main: @escaping @Sendable () -> Void) async -> Bool {
    addBarrier(AsyncOperation(name: "barrier", main: main))
  }

  /// Adds an asynchronous block that runs alone.
  ///
  /// Everything else is as for a synchronous one.
  @discardableResult
  public nonisolated(nonsending) func addBarrier(_ start: @escaping @Sendable () async -> Void) async -> Bool {
    addBarrier(AsyncOperation(name: "barrier", start: start))
  }

  /// Adds a synchronous block that runs alone, from synchronous code.
  @discardableResult
  public nonisolated func addBarrier(_ main: @escaping @Sendable () -> Void) -> Bool {
    addBarrier(AsyncOperation(name: "barrier", main: main))
  }

  /// Adds an asynchronous block that runs alone, from synchronous code.
  @discardableResult
  public nonisolated func addBarrier(_ start: @escaping @Sendable () async -> Void) -> Bool {
    addBarrier(AsyncOperation(name: "barrier", start: start))
  }

  private nonisolated func addBarrier(_ operation: AsyncOperation<Void>) -> Bool {
    _ = operation.storage.enqueue(operation, in: self)
    let action = shared.post(.barrierAdded(operation.storage), need: .slot)
    if case .refuse = action {
      operation.storage.withdraw()
      return false
    }
    perform(action)
    return true
  }
}
