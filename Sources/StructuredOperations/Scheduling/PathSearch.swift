/// Looks for a path in a graph from both of its ends at once, so that it costs no more than twice the easier direction.
///
/// It goes through the graph edge by edge, without recursion. An operation that nothing depends on yet, the usual
/// case when a graph is built, is settled at once.
struct PathSearch<Node: Hashable> {
  /// One of the two directions.
  private struct Front {
    /// How each node that was met was come to; the start came from itself.
    var origins: [Node: Node]
    private var unexpanded: [Node]

    init(_ start: Node) {
      origins = [start: start]
      unexpanded = [start]
    }

    var isExhausted: Bool { unexpanded.isEmpty }

    /// Goes one node further.
    ///
    /// - Returns: A node that the other front has met, too.
    mutating func expand(_ neighbours: (Node) -> [Node], towards other: [Node: Node]) -> Node? {
      guard let node = unexpanded.popLast() else { return nil }
      for neighbour in neighbours(node) where origins[neighbour] == nil {
        origins[neighbour] = node
        if other[neighbour] != nil { return neighbour }
        unexpanded.append(neighbour)
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
  static func path(
    from start: Node,
    to end: Node,
    successors: (Node) -> [Node],
    predecessors: (Node) -> [Node]
  ) -> [Node]? {
    var forward = Front(start)
    var backward = Front(end)
    while !forward.isExhausted, !backward.isExhausted {
      let meeting =
        forward.expand(successors, towards: backward.origins)
        ?? backward.expand(predecessors, towards: forward.origins)
      if let meeting {
        return forward.trail(to: meeting).reversed() + backward.trail(to: meeting).dropFirst()
      }
    }
    return nil
  }
}
