import Synchronization

/// A piece of work that runs once: with a state to observe, dependencies, a priority, and a typed outcome.
///
/// ```swift
/// let download = AsyncOperation { try await fetch(url) }
/// let resize = AsyncOperation(after: download) { data in
///   try render(data)
/// }
/// await queue.add(download, resize)
/// let image = try await resize.value
/// ```
///
/// An operation runs in an ``AsyncOperationQueue``, or by ``start()``. It finishes when its body ends, or without running
/// if it was cancelled or a required dependency failed; so nobody can forget to finish it. Then it releases its body and
/// its dependencies.
///
/// Its state has a lock, besides the isolation of the actor: ``cancel()`` and the snapshots work from synchronous code on
/// any thread, and a queue chooses an operation and marks it as chosen in one step. None of the members here is isolated
/// to the actor, so they never wait for it. Members that an extension of yours isolates to it run one at a time.
public actor AsyncOperation<Output: Sendable>: OperationProtocol {
  nonisolated let storage: OperationStorage
  private nonisolated let isolation = AtomicLazyReference<Isolation>()

  init(
    _ body: consuming OperationBody,
    isAsynchronous: Bool,
    name: String?,
    queuePriority: QueuePriority,
    taskPriority: UInt8,
    executor: (any TaskExecutor)?,
    observer: OperationObserverReference? = nil,
    madeAt site: CreationSite
  ) {
    storage = OperationStorage(
      consume body, isAsynchronous: isAsynchronous, name: name, queuePriority: queuePriority,
      taskPriority: taskPriority,
      executor: executor, site: site)
    if let observer { storage.observe(by: observer, as: self) }
  }

  deinit { storage.abandon() }

  /// Where members run that an extension isolates to the operation.
  ///
  /// Made when it is first asked for: the executor of an actor takes more memory than all else here, and few operations need one.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    (isolation.load() ?? isolation.storeIfNil(Isolation())).unownedExecutor
  }

  /// What the package itself works with.
  @_spi(StructuredOperationsInternals) public nonisolated var reference: OperationReference {
    OperationReference(storage)
  }

  /// What messages call the operation.
  @_spi(StructuredOperationsInternals) public nonisolated var label: String {
    storage.name.map { "\"\($0.onOneLine)\"" } ?? storage.site.label
  }

  // MARK: Queries

  /// What the operation is called in messages; nil if it has no name.
  public nonisolated var name: String? { storage.name }

  /// The state and the cancellation at this moment.
  ///
  /// - Complexity: O(1).
  public nonisolated var snapshot: OperationSnapshot { storage.snapshot }

  /// Whether the body may continue after it has returned to its caller: true for `start:` and `callback:` bodies.
  public nonisolated var isAsynchronous: Bool { storage.isAsynchronous }

  /// The level that was set among the ready operations of a queue; ``OperationProtocol/setQueuePriority(_:)-1gpyo`` changes it.
  public nonisolated var queuePriority: QueuePriority { storage.queuePriority }

  /// How the operation ended; nil until it has finished.
  ///
  /// A value that was produced although the operation had been cancelled is a success. `CancellationError` thrown by a
  /// body of a cancelled operation is ``OperationOutcome/cancelled``, any other error a failure. The operations that an
  /// ``OperationError/dependencyCycle(_:)`` names are not kept by the outcome: one that has been freed meanwhile is
  /// represented by another one of the same name.
  public nonisolated var outcome: OperationOutcome<Output>? {
    guard let erased = storage.outcome else { return nil }
    guard let outcome = erased.typed(as: Output.self) else {
      preconditionFailure("the outcome of an operation was released before the operation")
    }
    return outcome
  }

  // MARK: Cancelling

  /// Cancels the operation irrevocably; without effect once it has finished.
  ///
  /// It sets ``OperationProtocol/isCancelled``. Where the body runs, its task is cancelled, so `Task.isCancelled`,
  /// `Task.checkCancellation()` and cancellation handlers see it; the handlers run before this returns, unless another
  /// thread has cancelled the operation before, and runs them still. A pending operation becomes ready without its
  /// dependencies. In a queue that is not suspended, an operation that has not been chosen finishes unrun, at once and
  /// without a slot; one that has been, and has not begun, does so in its slot, as soon as its executor comes to it;
  /// elsewhere an operation does so when it is started. May be called on any thread, in a cancellation handler too.
  public nonisolated func cancel() { storage.cancel() }
}

/// The actor whose executor an operation shares.
private actor Isolation {}
