import StructuredOperations

/// A graph that was read and checked: every identifier stands once, every dependency is one of them.
///
/// Cycles are left to the library, which finds them when the operations are linked.
struct Graph: Equatable, Sendable {
  let nodes: [Node]

  /// A shell command, and when it may run.
  struct Node: Equatable, Sendable {
    let id: String
    /// What the shell is given.
    let run: String
    /// The nodes that must have succeeded before.
    var after: [String] = []
    var priority = QueuePriority.normal
    /// Where the shell stands; relative to the tool's own directory.
    var directory = "."
  }
}
