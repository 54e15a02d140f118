/// A bidirectional search for a path in a graph, without recursion.
///
/// The two directions take turns, one edge each, so the cost is at most twice that of the cheaper one. If one end has
/// no edges, as when a dependent is added that nothing depends on yet, the search ends after one step.
struct PathSearch<Node: Hashable> {
  /// The edge of a node at one index.
  enum Edge {
    case to(Node)
    /// An edge to be ignored.
    case none
    /// The index is past the last edge.
    case end
  }

  /// The visited part of the graph, from one end of the path.
  private struct Frontier {
    /// Predecessor of each visited node; the start is its own predecessor.
    var predecessors: [Node: Node]
    /// The stack of the depth-first search: nodes with edges left to follow, and the index of the next edge.
    private var stack: [(node: Node, edge: Int)]

    init(_ start: Node) {
      predecessors = [start: start]
      stack = [(start, 0)]
    }

    var isExhausted: Bool { stack.isEmpty }

    /// Follows one edge.
    ///
    /// - Returns: The node at its other end if the other frontier has visited that too.
    mutating func step(_ edge: (Node, Int) -> Edge, towards other: [Node: Node]) -> Node? {
      guard let (node, index) = stack.last else { return nil }
      switch edge(node, index) {
      case .end:
        stack.removeLast()
      case .none:
        stack[stack.count - 1].edge += 1
      case .to(let neighbour):
        stack[stack.count - 1].edge += 1
        if predecessors[neighbour] != nil { return nil }
        predecessors[neighbour] = node
        if other[neighbour] != nil { return neighbour }
        stack.append((neighbour, 0))
      }
      return nil
    }

    /// The path from a visited node back to the start, both included.
    func path(from node: Node) -> [Node] {
      var path = [node]
      while let last = path.last, let predecessor = predecessors[last], predecessor != last { path.append(predecessor) }
      return path
    }
  }

  /// The nodes of a path, both ends included, or nil if there is none.
  ///
  /// The ends must be different nodes.
  ///
  /// - Parameters:
  ///   - visited: Every visited node is appended to it, so that the caller decides when to release the nodes.
  ///   - isForwardComplete: Whether `successor` gives every edge, so that the search may end once there are no more
  ///     forward edges to follow.
  static func path(
    from start: Node,
    to end: Node,
    successor: (Node, Int) -> Edge,
    predecessor: (Node, Int) -> Edge,
    visited: inout [Node],
    isForwardComplete: Bool = true
  ) -> [Node]? {
    var forward = Frontier(start)
    var backward = Frontier(end)
    defer {
      visited += forward.predecessors.keys
      visited += backward.predecessors.keys
    }
    while true {
      let meeting =
        forward.step(successor, towards: backward.predecessors)
        ?? (forward.isExhausted && isForwardComplete ? nil : backward.step(predecessor, towards: forward.predecessors))
      if let meeting {
        return forward.path(from: meeting).reversed() + backward.path(from: meeting).dropFirst()
      }
      if forward.isExhausted && isForwardComplete || backward.isExhausted { return nil }
    }
  }
}

extension PathSearch.Edge: Sendable where Node: Sendable {}
