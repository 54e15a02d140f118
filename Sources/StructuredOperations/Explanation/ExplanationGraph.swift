/// The causes between operations as they were found: a value, which the explanations of several operations share.
///
/// Nodes are numbers: first the operations, then groups of operations, such as those that hold the slots of a queue.
final class ExplanationGraph: Sendable {
  /// What is in queues that bodies wait for.
  typealias Contents = [ObjectIdentifier: [any OperationProtocol]]

  /// In the order in which they were found.
  let operations: [ExplainedOperation]
  let search: RootSearch
  let contents: Contents
  /// When they had been found.
  let time: ContinuousClock.Instant
  private let numbers: [ObjectIdentifier: Int]

  /// - Parameter operations: Each once; one that a reason names and that is none of these counts as finished.
  init(_ operations: [ExplainedOperation], contents: Contents, at time: ContinuousClock.Instant = .now) {
    let builder = ExplanationGraphBuilder(operations, contents)
    self.operations = builder.operations
    self.contents = contents
    self.time = time
    numbers = builder.numbers
    search = builder.search
  }

  /// The node of an operation; nil if that is none of the graph's.
  func node(of operation: any OperationProtocol) -> Int? { numbers[ObjectIdentifier(operation)] }

  /// Whether a node is an operation, and no group.
  func isOperation(_ node: Int) -> Bool { node < operations.count }
}
