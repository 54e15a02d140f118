/// The face of an operation that does not tell its output, so that one array holds operations of every kind.
///
/// ``AsyncOperation`` is the only type that conforms; there is no way to write another.
public protocol OperationProtocol: Actor {
  /// What the operation is called, in error messages for example.
  nonisolated var name: String? { get }

  /// The state and the cancellation at this moment.
  nonisolated var snapshot: OperationSnapshot { get }

  /// Whether the body may go on after it has returned to its caller: true for `start:` and `callback:` bodies.
  nonisolated var isAsynchronous: Bool { get }

  /// The place among the ready operations of a queue.
  nonisolated var queuePriority: QueuePriority { get }

  /// Cancels the operation. See ``AsyncOperation/cancel()``.
  nonisolated func cancel()

  /// Suspends until the operation has finished. See ``AsyncOperation/waitUntilFinished()``.
  nonisolated func waitUntilFinished() async

  /// Runs the operation without a queue. See ``AsyncOperation/start()``.
  nonisolated func start() async throws

  /// What the operation depends on, in the order of addition. See ``AsyncOperation/dependencies``.
  nonisolated(nonsending) var dependencies: [any OperationProtocol] { get async }

  /// Makes the operation wait for another. See ``AsyncOperation/addDependency(_:requiring:)``.
  nonisolated(nonsending) func addDependency(
    _ dependency: any OperationProtocol,
    requiring requirement: DependencyRequirement
  ) async throws

  /// Undoes ``addDependency(_:requiring:)``. See ``AsyncOperation/removeDependency(_:)``.
  nonisolated(nonsending) func removeDependency(_ dependency: any OperationProtocol) async

  /// Moves the operation to another level of its queue. See ``AsyncOperation/setQueuePriority(_:)``.
  nonisolated(nonsending) func setQueuePriority(_ priority: QueuePriority) async

  /// Sets what runs after the end. See ``AsyncOperation/setCompletionBlock(_:)``.
  nonisolated(nonsending) func setCompletionBlock(_ block: (@Sendable () async -> Void)?) async

  /// What the package itself works with. Only the package can make one, which seals this protocol.
  nonisolated var reference: OperationReference { get }
}

extension OperationProtocol {
  /// Where the operation is in its life.
  public nonisolated var state: OperationState { snapshot.state }

  /// Whether no dependency holds the operation back.
  public nonisolated var isReady: Bool { snapshot.isReady }

  /// Whether the body runs.
  public nonisolated var isExecuting: Bool { snapshot.isExecuting }

  /// Whether the operation is over.
  public nonisolated var isFinished: Bool { snapshot.isFinished }

  /// Whether the operation has been cancelled.
  public nonisolated var isCancelled: Bool { snapshot.isCancelled }
}
