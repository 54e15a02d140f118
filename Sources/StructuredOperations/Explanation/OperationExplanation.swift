/// Why an operation has not finished, as things stood when it was asked.
///
/// ```swift
/// print(await upload.explanation)
/// // prints "upload" waits for "resize", which waits, through 2
/// //   more, for "login"; "login" is in no queue and has not been
/// //   started.
/// ```
///
/// A value: it says the same when all is over. It holds the operations and queues that it names.
public struct OperationExplanation: Sendable {
  private let graph: ExplanationGraph
  private let node: Int

  init(_ node: Int, in graph: ExplanationGraph) {
    self.graph = graph
    self.node = node
  }

  /// The operation that is explained.
  public var operation: any OperationProtocol { graph.operations[node].operation }

  /// What keeps the operation from finishing; empty once it has finished, and its observers have been told.
  ///
  /// Dependencies come first, in their order, then what the queue has to do with it; of one that executes, what its body
  /// waits for. A slot, a start by the rate and the limits are taken in one step: all that are lacking are told. A limit that
  /// has room, and is kept for one ahead in line, is told only where the operation stands in line itself.
  public var reasons: [Reason] { graph.operations[node].reasons }

  /// The operations at which all causes end, each once; never the operation itself.
  ///
  /// Those are the ones that wait for no other operation: one that executes, is in no queue, or is in a queue that is
  /// suspended, for example. What nobody has added, or needs more of a limit than its count, is a root cause also where it
  /// waits for others. Operations that wait for each other are root causes of all that wait for one of them. Causes are
  /// followed through any number of dependencies, queues, limits, barriers and waits.
  ///
  /// - Complexity: O(1) where they are few; else O(operations and causes that lead there).
  public var rootCauses: [any OperationProtocol] {
    graph.search.roots(of: node).map { graph.operations[$0].operation }
  }
}

extension OperationExplanation: CustomStringConvertible, CustomReflectable {
  /// The reasons in a sentence that names the operations and queues concerned, up to a root cause.
  ///
  /// - Complexity: O(operations that this one waits for, and theirs).
  public var description: String { ExplanationWords(graph).sentence(about: node).onOneLine }

  /// What `dump` shows: the operation, the reasons, and the root causes.
  public var customMirror: Mirror {
    let children: KeyValuePairs<String, Any> = [
      "operation": operation, "reasons": reasons, "rootCauses": rootCauses.map(\.label),
    ]
    return Mirror(self, children: children, displayStyle: .struct)
  }
}
