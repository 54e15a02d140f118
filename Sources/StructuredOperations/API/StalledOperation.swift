/// An operation in a queue that cannot start because it waits for something that nobody runs.
public struct StalledOperation: Sendable {
  /// The operation.
  public let operation: any OperationProtocol
  /// What it waits for, in a sentence that names the operations concerned.
  public let reason: String
}

extension StalledOperation: CustomStringConvertible {
  /// The operation's name and the reason.
  public var description: String { "\(operation.label) \(reason)" }
}
