/// An operation of any output type, so that one array can hold operations of different types.
///
/// ``AsyncOperation`` is the only conforming type. Other modules cannot conform to this protocol.
public protocol OperationProtocol: Actor, Identifiable, CustomStringConvertible, CustomDebugStringConvertible {
  /// The identity of the operation.
  ///
  /// Stated once more, since that of `Identifiable` is of type `any Hashable` where the operation is an `any OperationProtocol`.
  nonisolated var id: ObjectIdentifier { get }

  /// The name of the operation, used in error messages for example.
  nonisolated var name: String? { get }

  /// The current state and whether the operation has been cancelled.
  nonisolated var snapshot: OperationSnapshot { get }

  /// Whether the body may continue after it has returned to its caller: true for `start:` and `callback:` bodies.
  nonisolated var isAsynchronous: Bool { get }

  /// The level that was set among the ready operations of a queue.
  nonisolated var queuePriority: QueuePriority { get }

  /// Cancels the operation. See ``AsyncOperation/cancel()``.
  nonisolated func cancel()

  /// Suspends until the operation has finished. See ``AsyncOperation/waitUntilFinished()``.
  nonisolated func waitUntilFinished() async

  /// Runs the operation without a queue. See ``AsyncOperation/start()``.
  nonisolated func start() async throws

  /// The operation's storage.
  ///
  /// A requirement that other modules cannot see, so they can neither witness nor forward it: this seals the protocol.
  @_spi(StructuredOperationsInternals) nonisolated var reference: OperationReference { get }

  /// What messages call the operation: its name in quotes or, where it has none, its type and where it was made.
  @_spi(StructuredOperationsInternals) nonisolated var label: String { get }
}

extension OperationProtocol {
  /// The current state.
  public nonisolated var state: OperationState { snapshot.state }

  /// Whether the operation is not waiting for a dependency.
  public nonisolated var isReady: Bool { snapshot.isReady }

  /// Whether the body is running.
  public nonisolated var isExecuting: Bool { snapshot.isExecuting }

  /// Whether the operation has finished.
  public nonisolated var isFinished: Bool { snapshot.isFinished }

  /// Whether the operation has been cancelled.
  public nonisolated var isCancelled: Bool { snapshot.isCancelled }

  /// The identity of the operation.
  public nonisolated var id: ObjectIdentifier { ObjectIdentifier(self) }
}

// Library evolution asks for defaults of requirements that other modules cannot see. These cannot see them either, so the protocol
// is sealed all the same.
@_spi(StructuredOperationsInternals)
extension OperationProtocol {
  /// Not called: ``AsyncOperation`` has its own.
  public nonisolated var reference: OperationReference { fatalError("an operation that is no AsyncOperation") }
  /// Not called, likewise.
  public nonisolated var label: String { fatalError("an operation that is no AsyncOperation") }
}
