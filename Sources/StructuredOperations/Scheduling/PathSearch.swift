/// Looks for a path in a graph from both of its ends at once, so that it costs no more than twice the easier direction.
///
/// It goes through the graph edge by edge, without recursion. An operation that nothing depends on yet, the usual
/// case when a graph is built, is settled at once.
struct PathSearch<Node: Hashable> {
  /// One edge of a node, asked for by its number.
  enum Edge {
    case to(Node)
    /// There is one, but it does not count.
    case none
    /// There are no more.
    case end
  }

  /// One of the two directions.
  private struct Front {
    /// How each node that was met was come to; the start came from itself.
    var origins: [Node: Node]
    /// Nodes with edges left to follow, each with the number of the next one.
    private var unfinished: [(node: Node, edge: Int)]

    init(_ start: Node) {
      origins = [start: start]
      unfinished = [(start, 0)]
    }

    var isExhausted: Bool { unfinished.isEmpty }

    /// Follows one edge.
    ///
    /// - Returns: A node that the other front has met, too.
    mutating func step(_ edge: (Node, Int) -> Edge, towards other: [Node: Node]) -> Node? {
      guard let (node, number) = unfinished.last else { return nil }
      switch edge(node, number) {
      case .end:
        unfinished.removeLast()
      case .none:
        unfinished[unfinished.count - 1].edge += 1
      case .to(let neighbour):
        unfinished[unfinished.count - 1].edge += 1
        if origins[neighbour] != nil { return nil }
        origins[neighbour] = node
        if other[neighbour] != nil { return neighbour }
        unfinished.append((neighbour, 0))
      }
      return nil
    }

    /// The nodes between the start and this one, both included; this one first.
    func trail(to node: Node) -> [Node] {
      var trail = [node]
      while let last = trail.last, let origin = origins[last], origin != last { trail.append(origin) }
      return trail
    }
  }

  /// The nodes of a path, both ends included; nil where there is none.
  ///
  /// The ends are two nodes.
  ///
  /// - Parameter visited: Gets every node that was met, for callers that have to say when the last reference to one
  ///   goes.
  static func path(
    from start: Node,
    to end: Node,
    successor: (Node, Int) -> Edge,
    predecessor: (Node, Int) -> Edge,
    visited: inout [Node]
  ) -> [Node]? {
    var forward = Front(start)
    var backward = Front(end)
    defer {
      visited += forward.origins.keys
      visited += backward.origins.keys
    }
    while true {
      let meeting =
        forward.step(successor, towards: backward.origins)
        ?? (forward.isExhausted ? nil : backward.step(predecessor, towards: forward.origins))
      if let meeting {
        return forward.trail(to: meeting).reversed() + backward.trail(to: meeting).dropFirst()
      }
      if forward.isExhausted || backward.isExhausted { return nil }
    }
  }
}

extension PathSearch.Edge: Sendable where Node: Sendable {}
