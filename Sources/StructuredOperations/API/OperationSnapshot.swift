/// The state of an operation at one moment, and whether it had been cancelled.
public struct OperationSnapshot: Hashable, Sendable {
  /// The state.
  public let state: OperationState

  /// Whether the operation had been cancelled.
  ///
  /// Once true it stays true.
  public let isCancelled: Bool

  /// Whether the operation was not waiting for a dependency: true in every state except ``OperationState/pending``.
  public var isReady: Bool { state != .pending }

  /// Whether the body was running.
  public var isExecuting: Bool { state == .executing }

  /// Whether the operation had finished.
  public var isFinished: Bool { state == .finished }
}
