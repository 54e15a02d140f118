import StructuredOperations

/// A validated graph: identifiers are unique, every dependency and every pool is there, and there are no cycles.
struct Graph: Equatable, Sendable {
  let nodes: [Node]
  /// Limits that nodes share.
  var pools: [Pool] = []

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
    /// How long one attempt may take.
    var timeout: Duration?
    var retries: Retries?
    /// Variables beside those of the tool; nil removes one.
    var environment: [String: String?] = [:]
    /// The names of the pools in which it takes one place each.
    var pools: [String] = []
    /// Whether those that come after it run although it has failed, and the run succeeds all the same.
    var allowsFailure = false
    /// Files that it reads and writes; relative to its directory.
    var inputs: [String] = []
    var outputs: [String] = []
    /// The words before `/bin/sh -c COMMAND`: its own, or those of its pool or of the graph.
    var launcher: [String] = []
    /// Where it stands in the file; nil where it is in none.
    var position: TextPosition?
  }

  /// A number of places, of which each node that names the pool takes one while it runs.
  struct Pool: Equatable, Sendable {
    let name: String
    let depth: Int
  }

  /// What follows an attempt that has failed.
  struct Retries: Equatable, Sendable {
    /// All of them, the first one included.
    var attempts: Int
    /// The wait before the second attempt; each one after that is `factor` times as long, up to `maximumDelay`.
    var delay = Duration.zero
    var factor = 2.0
    var maximumDelay = Duration.seconds(60)
  }
}
