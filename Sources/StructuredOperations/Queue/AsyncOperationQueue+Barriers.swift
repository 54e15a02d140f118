extension AsyncOperationQueue {
  /// Adds a synchronous block that runs alone: after everything added before it, and before everything added after it
  /// (QB-01).
  ///
  /// It holds a slot and may block. It is no operation: it is neither listed nor counted (QB-03), but waited for by
  /// ``waitUntilAllOperationsAreFinished()``. Cancelled by ``cancelAllOperations()``, it keeps its place and skips its
  /// block. A queue whose scope has ended skips it, too. Does not suspend.
  public nonisolated(nonsending) func addBarrier(_ main: @escaping @Sendable () -> Void) async {
    addBarrier(AsyncOperation(name: "barrier", main: main))
  }

  /// Adds an asynchronous block that runs alone.
  ///
  /// Everything else is as for a synchronous one.
  public nonisolated(nonsending) func addBarrier(_ start: @escaping @Sendable () async -> Void) async {
    addBarrier(AsyncOperation(name: "barrier", start: start))
  }

  /// Adds a synchronous block that runs alone, from synchronous code.
  public nonisolated func addBarrier(_ main: @escaping @Sendable () -> Void) {
    addBarrier(AsyncOperation(name: "barrier", main: main))
  }

  /// Adds an asynchronous block that runs alone, from synchronous code.
  public nonisolated func addBarrier(_ start: @escaping @Sendable () async -> Void) {
    addBarrier(AsyncOperation(name: "barrier", start: start))
  }

  private nonisolated func addBarrier(_ operation: AsyncOperation<Void>) {
    _ = operation.core.enqueue(operation, in: self)
    let action = front.post(.barrier(operation.core), need: .slot)
    if case .refuse = action { operation.core.withdraw() }
    perform(action)
  }
}
