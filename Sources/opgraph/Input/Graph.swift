import StructuredOperations

/// A validated graph: identifiers are unique, and every dependency is one of them.
///
/// It may have cycles, which the library finds when dependencies are added.
struct Graph: Equatable, Sendable {
  let nodes: [Node]

  /// A shell command and its dependencies.
  struct Node: Equatable, Sendable {
    let id: String
    /// The command that is passed to the shell.
    let run: String
    /// The nodes that have to succeed first.
    var after: [String] = []
    var priority = QueuePriority.normal
    /// The working directory of the command; relative to that of the tool.
    var directory = "."
  }
}
