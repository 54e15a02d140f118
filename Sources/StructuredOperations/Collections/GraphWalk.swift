/// A breadth-first traversal of a graph, without recursion.
struct GraphWalk<Node: Hashable> {
  /// The visited nodes, starts included, in breadth-first order.
  private(set) var nodes: [Node] = []
  /// Predecessor of each visited node on a shortest path from a start; a start is its own predecessor.
  private var parents: [Node: Node] = [:]
  /// All visited predecessors of each node.
  private var predecessors: [Node: [Node]] = [:]

  init(from starts: [Node], successors: (Node) -> [Node]) {
    for start in starts { visit(start, from: start) }
    var next = 0
    while next < nodes.count {
      let node = nodes[next]
      next += 1
      for successor in successors(node) {
        predecessors[successor, default: []].append(node)
        visit(successor, from: node)
      }
    }
  }

  private mutating func visit(_ node: Node, from parent: Node) {
    guard parents[node] == nil else { return }
    parents[node] = parent
    nodes.append(node)
  }

  func contains(_ node: Node) -> Bool { parents[node] != nil }

  /// A shortest path from a start to a visited node, both included.
  func path(to node: Node) -> [Node] {
    var path = [node]
    while let last = path.last, let parent = parents[last], parent != last { path.append(parent) }
    return path.reversed()
  }

  /// Every visited node that can reach a target, with the next node on a shortest path there; a target maps to itself.
  func nextHops(to isTarget: (Node) -> Bool) -> [Node: Node] {
    var visited = nodes.filter(isTarget)
    var hops = Dictionary(uniqueKeysWithValues: visited.map { ($0, $0) })
    var next = 0
    while next < visited.count {
      let node = visited[next]
      next += 1
      for predecessor in predecessors[node] ?? [] where hops[predecessor] == nil {
        hops[predecessor] = node
        visited.append(predecessor)
      }
    }
    return hops
  }
}
