/// Why the operations in a queue have not finished, as things stood when it was asked.
///
/// ```swift
/// print(await queue.explanation)
/// // AsyncOperationQueue "disk" (1 executing, 1 waiting, limit 1):
/// // "save" is executing, and waits for its completion to be
/// // called.
/// // "thumbnail" is number 1 in line for a slot of the queue
/// // "disk", whose only slot "save" has; "save" is executing, …
/// ```
///
/// A collection of the explanations of its unfinished operations in the order of addition, barriers included. A value,
/// which holds the operations and queues that it names.
public struct QueueExplanation: Sendable {
  private let header: String
  private let graph: ExplanationGraph
  private let nodes: [Int]

  /// - Parameter header: The queue in words.
  init(_ header: String, _ nodes: [Int], in graph: ExplanationGraph) {
    self.header = header.onOneLine
    self.nodes = nodes
    self.graph = graph
  }
}

extension QueueExplanation: RandomAccessCollection {
  /// The position of the first explanation.
  public var startIndex: Int { nodes.startIndex }

  /// The position after the last explanation.
  public var endIndex: Int { nodes.endIndex }

  /// The explanation of an operation.
  ///
  /// - Parameter position: The position of the operation, in the order of addition.
  /// - Complexity: O(1).
  public subscript(position: Int) -> OperationExplanation { OperationExplanation(nodes[position], in: graph) }
}

extension QueueExplanation: CustomStringConvertible, CustomReflectable {
  /// The queue with its counts and settings, then at most 20 lines: each explains an operation; the last one says how many
  /// more there are.
  public var description: String {
    if isEmpty { return "\(header): nothing is in it." }
    let shown = count > Self.lineCount ? Self.lineCount - 1 : count
    var lines = prefix(shown).map { "  \($0)" }
    if shown < count { lines.append("  … and \(count - shown) more operations.") }
    return "\(header):\n" + lines.joined(separator: "\n")
  }

  private static var lineCount: Int { 20 }

  /// What `dump` shows: the explanations.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: self, displayStyle: .collection) }
}
