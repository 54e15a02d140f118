/// A piece of work that runs once: with a state to observe, dependencies, a priority, and a typed outcome.
///
/// ```swift
/// let download = AsyncOperation { try await fetch(url) }
/// let resize = AsyncOperation(after: download) { data in try render(data) }
/// await queue.add(download, resize)
/// let image = try await resize.value
/// ```
///
/// An operation runs in an ``AsyncOperationQueue``, or by ``start()``. It finishes by its body's end and in no other
/// way, so it cannot be forgotten; it frees its body then, and lets go of its dependencies. Everything that tells its
/// state, and ``cancel()``, works from synchronous code on any thread. What changes its dependencies and settings is
/// done on the caller's executor and never suspends.
public actor AsyncOperation<Output: Sendable>: OperationProtocol {
  /// What the operation is called, in error messages for example (QS-07).
  public nonisolated var name: String? { core.name }

  nonisolated let core: OperationCore

  init(
    _ body: OperationBody,
    isAsynchronous: Bool,
    name: String?,
    queuePriority: QueuePriority,
    taskPriority: UInt8?,
    executor: (any TaskExecutor)?
  ) {
    core = OperationCore(
      body, isAsynchronous: isAsynchronous, name: name, queuePriority: queuePriority, taskPriority: taskPriority,
      executor: executor)
  }

  deinit { core.abandon() }

  /// Where members run that an extension of yours isolates to the operation, one at a time as in any actor.
  ///
  /// The members here are not isolated, so they never wait for one of those.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { core.isolation.unownedExecutor }

  /// What the package itself works with.
  public nonisolated var reference: OperationReference { OperationReference(core) }

  // MARK: What is so

  /// The state and the cancellation at this moment.
  ///
  /// O(1).
  public nonisolated var snapshot: OperationSnapshot { core.snapshot }

  /// Whether the body may go on after it has returned to its caller: true for `start:` and `callback:` bodies (LC-14).
  public nonisolated var isAsynchronous: Bool { core.isAsynchronous }

  /// The place among the ready operations of a queue; ``setQueuePriority(_:)`` changes it.
  public nonisolated var queuePriority: QueuePriority { core.queuePriority }

  /// How the operation ended; nil until it has finished.
  ///
  /// A value that was produced although the operation had been cancelled is a success. `CancellationError` thrown by a
  /// body of a cancelled operation is ``OperationOutcome/cancelled``, any other error a failure.
  public nonisolated var outcome: OperationOutcome<Output>? { core.outcome.map(Self.typed) }

  /// Waits until the operation has finished, and returns what it produced or throws why there is nothing.
  ///
  /// Suspends without holding a thread. Cancelling the waiting task neither cancels the operation nor cuts the wait
  /// short, as with `Task.value`.
  ///
  /// Where the own task of another operation's body waits, that body lends its slot, and has one again on return: see
  /// ``waitUntilFinished()``.
  ///
  /// - Throws: What the body threw; `CancellationError` where the operation was cancelled and produced nothing;
  ///   ``OperationError/dependencyFailed(on:underlying:)`` where it did not run for that reason;
  ///   ``OperationError/waitWouldDeadlock`` where this operation waits for the one whose body asks (WT-03).
  public nonisolated var value: Output {
    get async throws {
      if case .deadlock = await core.waitUntilSettled(self) { throw OperationError.waitWouldDeadlock }
      switch outcome {
      case .success(let output): return output
      case .failure(let error): throw error
      case .cancelled: throw CancellationError()
      case nil: preconditionFailure("an operation finished without an outcome")
      }
    }
  }

  private static func typed(_ outcome: OperationCore.Outcome) -> OperationOutcome<Output> {
    switch outcome {
    case .success(let output): .success(output.value(of: Output.self))
    case .failure(let error): .failure(error)
    case .cancelled: .cancelled
    }
  }

  // MARK: Cancelling, waiting, starting

  /// Cancels the operation: one way, and without effect once it has finished (CN-02, CN-03).
  ///
  /// It sets ``OperationProtocol/isCancelled``. Where the body runs, its task is cancelled, so `Task.isCancelled`,
  /// `Task.checkCancellation()` and cancellation handlers see it; handlers run before this returns. A pending operation
  /// becomes ready without its dependencies (RD-02). In a queue that is not suspended, an operation that has not begun
  /// finishes unrun, at once and without a slot; elsewhere it does so when it is started (CN-04). May be called on any
  /// thread, in a cancellation handler too.
  public nonisolated func cancel() { core.cancel() }

  /// Suspends until the operation has finished, its queue has let go of it, and its dependents have been told.
  ///
  /// Any number of tasks may wait, and none holds a thread. It never throws: cancelling the waiting task neither
  /// cancels the operation nor cuts the wait short (WT-01, WT-06). An operation that nobody runs is waited for without
  /// end (WT-04).
  ///
  /// The own task of another operation's body lends its slot for the wait: other operations of its queue may run. On
  /// return it has a slot again, ahead of all that has not begun. Where this operation waits for that one in its turn,
  /// through any number of dependencies, waits and barriers, the wait could never end: the program stops, with a
  /// message that names the operations (WT-03); ``value`` throws instead. Tasks that a body starts, and its child
  /// tasks, neither lend nor are found.
  public nonisolated func waitUntilFinished() async {
    await core.waitUntilSettled(self).orStop("waitUntilFinished()")
  }

  /// Runs the operation without a queue, and returns when it has finished, whatever its body (ST-01).
  ///
  /// The body runs in a child task of the calling one, whose cancellation cancels the operation. What the body throws
  /// is its outcome and not thrown here. A cancelled operation finishes unrun; on a finished one nothing happens
  /// (ST-04).
  ///
  /// - Throws: ``OperationError/notReady`` where a dependency has not finished, which leaves the operation unharmed;
  ///   ``OperationError/alreadyExecuting``; ``OperationError/alreadyEnqueued`` where a queue will run it.
  public nonisolated func start() async throws { try await core.start(as: self) }

  // MARK: Dependencies

  /// What the operation depends on, in the order of addition: also what has finished already (DP-01, DP-15).
  ///
  /// Once the operation itself has finished, it holds them no more: those are listed then that somebody else holds.
  public nonisolated(nonsending) var dependencies: [any OperationProtocol] {
    get async { core.dependencies }
  }

  /// Makes the operation wait until another has finished.
  ///
  /// The other one may be in any queue or in none (DP-11). One that is a dependency already is one still; the stronger
  /// requirement holds (DP-02). On an operation that executes or has finished this has no effect (DP-08).
  ///
  /// Where nothing depends on the operation yet this costs O(1), else at most as much as there is to visit from one of
  /// both ends.
  ///
  /// - Parameters:
  ///   - dependency: The other one.
  ///   - requirement: With ``DependencyRequirement/success``, where the other one fails or is cancelled, this one
  ///     finishes without running and without waiting for its other dependencies: in a queue that is not suspended at
  ///     once, else when it is started. Its outcome is ``OperationError/dependencyFailed(on:underlying:)``.
  /// - Throws: ``OperationError/dependencyOnSelf``, and ``OperationError/dependencyCycle(_:)`` where the other one
  ///   depends on this one through any number of steps. Of several tasks that close a loop together exactly one throws.
  public nonisolated(nonsending) func addDependency(
    _ dependency: any OperationProtocol,
    requiring requirement: DependencyRequirement
  ) async throws {
    try DependencyGraph.add(dependency, to: core, requirement: requirement) { self }
  }

  /// Undoes ``addDependency(_:requiring:)``, whereupon the operation may be ready (DP-17).
  ///
  /// Nothing happens where the other one is no dependency (DP-19). O(number of dependencies, and of
  /// dependents of the other one).
  public nonisolated(nonsending) func removeDependency(_ dependency: any OperationProtocol) async {
    DependencyGraph.remove(dependency, from: self)
  }

  // MARK: Settings

  /// Moves the operation to another level; in a queue, to the end of that level (PR-06).
  ///
  /// The level that it has already does not move it. Without effect once it has been chosen to run (PR-07).
  public nonisolated(nonsending) func setQueuePriority(_ priority: QueuePriority) async {
    core.setQueuePriority(priority)
  }

  /// Sets what runs once the operation has finished, in whichever way (CB-01).
  ///
  /// The block replaces the one before; nil takes it back. It is called once, in a task of its own that holds no slot,
  /// after the dependents have been told and while waiters go on (CB-03, CB-04), and is cleared as it begins (CB-06).
  /// Set after the end it runs at once, in a task that belongs to no queue.
  public nonisolated(nonsending) func setCompletionBlock(_ block: (@Sendable () async -> Void)?) async {
    if let due = core.setCompletionBlock(block) { core.runUnstructured(due) }
  }
}
