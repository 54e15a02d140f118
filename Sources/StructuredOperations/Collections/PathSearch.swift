/// A bidirectional search for a path in a graph, without recursion.
///
/// The two directions take turns, one edge each, so the cost is at most twice that of the cheaper one. If one end has
/// no edges, as when a dependent is added that nothing depends on yet, the search ends after one step. Both hold where each
/// direction gives all edges.
///
/// Edges may vanish meanwhile. Those of a node are followed from the last to the first: where one vanishes, those after it move
/// down, so that one may be followed once more, and none is missed.
struct PathSearch<Node: Hashable> {
  /// One edge of a node.
  struct Edge {
    let index: Int
    /// Nil if the edge is to be ignored.
    let node: Node?

    /// The last edge of several whose index is below a limit; nil if there is none.
    static func last(of count: Int, below limit: Int, _ node: (_ index: Int) -> Node?) -> Edge? {
      let index = min(count, limit) - 1
      return index < 0 ? nil : Edge(index: index, node: node(index))
    }
  }

  /// The visited part of the graph, from one end of the path.
  private struct Frontier {
    /// Predecessor of each visited node; the start is its own predecessor.
    var predecessors: [Node: Node]
    /// The stack of the depth-first search: nodes with edges left to follow, and the index that these are below.
    private var stack: [(node: Node, limit: Int)]

    init(_ start: Node) {
      predecessors = [start: start]
      stack = [(start, .max)]
    }

    var isExhausted: Bool { stack.isEmpty }

    /// Follows one edge.
    ///
    /// - Returns: The node at its other end if the other frontier has visited that too.
    mutating func step(_ lastEdge: (Node, Int) -> Edge?, towards other: [Node: Node]) -> Node? {
      guard let (node, limit) = stack.last else { return nil }
      let edge = lastEdge(node, limit)
      if let edge, edge.index > 0 {
        stack[stack.count - 1].limit = edge.index
      } else {
        stack.removeLast()
      }
      guard let neighbour = edge?.node, predecessors[neighbour] == nil else { return nil }
      predecessors[neighbour] = node
      if other[neighbour] != nil { return neighbour }
      stack.append((neighbour, .max))
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
  ///   - successor: The last edge from a node among those whose index is less than a limit, which is at least 1; nil if there is
  ///     none. Edges may vanish between two calls, and new ones may come after the others.
  ///   - predecessor: The same for the edges to a node.
  ///   - visited: Every visited node is appended to it, so that the caller decides when to release the nodes.
  ///   - isForwardComplete: Whether `successor` has given every edge of the nodes that it was asked for, so that the search
  ///     may end once there are no more forward edges to follow.
  static func path(
    from start: Node,
    to end: Node,
    successor: (Node, _ limit: Int) -> Edge?,
    predecessor: (Node, _ limit: Int) -> Edge?,
    visited: inout [Node],
    isForwardComplete: () -> Bool = { true }
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
        ?? (forward.isExhausted && isForwardComplete()
          ? nil : backward.step(predecessor, towards: forward.predecessors))
      if let meeting {
        return forward.path(from: meeting).reversed() + backward.path(from: meeting).dropFirst()
      }
      if forward.isExhausted && isForwardComplete() || backward.isExhausted { return nil }
    }
  }
}

extension PathSearch.Edge: Sendable where Node: Sendable {}
