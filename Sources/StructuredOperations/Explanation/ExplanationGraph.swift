/// The causes between operations as they were found: a value, which the explanations of several operations share.
///
/// Nodes are numbers: first the operations, then groups of operations, such as those that hold the slots of a queue.
final class ExplanationGraph: Sendable {
  /// What has not finished in a queue that a body waits for.
  struct Contents: Sendable {
    let operations: [any OperationProtocol]
    /// The operations whose completion blocks have not ended.
    let completionBlocks: [any OperationProtocol]
    /// See ``QueueFacts/lastingWaits``.
    var lastingWaits: Set<ObjectIdentifier>?

    /// Whether the queue has still to look whether all that is left waits for the body, and ends the wait then.
    func mayEnd(_ wait: OperationCondition.Wait) -> Bool {
      guard let id = wait.id, let lastingWaits else { return false }
      return !lastingWaits.contains(id)
    }
  }

  /// In the order in which they were found.
  let operations: [ExplainedOperation]
  let search: RootSearch
  let contents: [ObjectIdentifier: Contents]
  /// When they had been found.
  let time: ContinuousClock.Instant

  /// - Parameter builder: One that has explained all that it has found.
  init(_ builder: ExplanationGraphBuilder, at time: ContinuousClock.Instant = .now) {
    operations = builder.explained
    contents = builder.contents
    search = builder.search
    self.time = time
  }

  /// Whether a node is an operation, and no group.
  func isOperation(_ node: Int) -> Bool { node < operations.count }
}
