extension OperationProtocol {
  /// Moves the operation to another level; in a queue, and in line for its limits, to the end of that level.
  ///
  /// Setting the level that it has does not move it. Without effect once it has been chosen to run; one that was started by hand
  /// and needs limits can be moved until its body begins. What a task of a priority above `.medium` has awaited stays in the highest level,
  /// also where the task has given up; ``queuePriority`` tells the level that was set. Does not suspend.
  ///
  /// - Parameter priority: The level.
  public nonisolated(nonsending) func setQueuePriority(_ priority: QueuePriority) async {
    storage.setQueuePriority(priority)
  }

  /// Moves the operation to another level, from synchronous code.
  ///
  /// Everything else is as in the asynchronous form.
  ///
  /// - Parameter priority: The level.
  public nonisolated func setQueuePriority(_ priority: QueuePriority) { storage.setQueuePriority(priority) }

  /// Sets what runs once the operation has finished, in whichever way.
  ///
  /// The block replaces the one before, of either form; nil removes it. It is called once, in a task of its own that holds
  /// no slot, after the dependents have been told and while waiters resume, and is cleared as it begins. The operation
  /// lives until its block has returned, so a weak reference in the block finds it. Set after the end the block runs at
  /// once: as a task of the queue that the operation was in, as long as that runs anything, so a scope waits for it; else
  /// in a task of its own. Blocks of several operations run at the same time, in no particular order. Does not suspend.
  ///
  /// A block in a scope must not wait for the body that has opened the scope, in whichever way, as by `run` in a queue where a barrier is
  /// behind that body: the scope ends after its blocks, so neither would. Such a wait is not found; an ``OperationProtocol/explanation``
  /// of the body says whose block it is.
  ///
  /// - Parameter block: What runs; nil removes the block.
  public nonisolated(nonsending) func setCompletionBlock(_ block: (@Sendable () async -> Void)?) async {
    storage.setCompletionBlock(block, of: self)
  }

  /// Sets what runs once the operation has finished, from synchronous code.
  ///
  /// Everything else is as in the asynchronous form.
  ///
  /// - Parameter block: What runs; nil removes the block.
  public nonisolated func setCompletionBlock(_ block: (@Sendable () async -> Void)?) {
    storage.setCompletionBlock(block, of: self)
  }
}

extension AsyncOperation {
  /// Sets what runs once the operation has finished, and gets the outcome.
  ///
  /// ```swift
  /// await download.setCompletionBlock { outcome in
  ///   if case .failure(let error) = outcome { log(error) }
  /// }
  /// ```
  ///
  /// Called once, in a task of its own, as the block without a parameter is, and replaces that, as that replaces it: see
  /// ``OperationProtocol/setCompletionBlock(_:)-79n74``.
  ///
  /// - Parameter block: What runs; gets the outcome.
  public nonisolated(nonsending) func setCompletionBlock(
    _ block: @escaping @Sendable (OperationOutcome<Output>) async -> Void
  ) async {
    storage.setCompletionBlock(block, of: self)
  }

  /// Sets what runs once the operation has finished, and gets the outcome, from synchronous code.
  ///
  /// Everything else is as in the asynchronous form.
  ///
  /// - Parameter block: What runs; gets the outcome.
  public nonisolated func setCompletionBlock(_ block: @escaping @Sendable (OperationOutcome<Output>) async -> Void) {
    storage.setCompletionBlock(block, of: self)
  }
}

extension OperationStorage {
  fileprivate func setCompletionBlock(_ block: (@Sendable () async -> Void)?, of operation: any OperationProtocol) {
    setCompletionBlock(block.map { block in CompletionBlock { _ in await block() } }, of: operation)
  }

  fileprivate func setCompletionBlock<Output>(
    _ block: @escaping @Sendable (OperationOutcome<Output>) async -> Void,
    of operation: AsyncOperation<Output>
  ) {
    let block = CompletionBlock { operation in
      if let outcome = (operation as? AsyncOperation<Output>)?.outcome { await block(outcome) }
    }
    setCompletionBlock(block, of: operation)
  }
}
