/// What an operation was at one moment: its state, and whether it had been cancelled.
public struct OperationSnapshot: Hashable, Sendable {
  /// Where the operation was in its life.
  public let state: OperationState

  /// Whether the operation had been cancelled.
  ///
  /// Once true it stays true.
  public let isCancelled: Bool

  /// Whether no dependency held the operation back: true in every state but ``OperationState/pending``.
  public var isReady: Bool { state != .pending }

  /// Whether the body ran.
  public var isExecuting: Bool { state == .executing }

  /// Whether the operation was over.
  public var isFinished: Bool { state == .finished }
}
