/// Everything that can be reached in a graph from some of its nodes, and how.
///
/// Goes through the graph once, node by node, without recursion.
struct GraphWalk<Node: Hashable> {
  /// What was reached, the starts included, in the order in which it was met.
  private(set) var nodes: [Node] = []
  /// Where each node was come to from; a start from itself.
  private var origins: [Node: Node] = [:]
  /// All that lead to a node.
  private var predecessors: [Node: [Node]] = [:]

  init(from starts: [Node], successors: (Node) -> [Node]) {
    for start in starts { meet(start, from: start) }
    var next = 0
    while next < nodes.count {
      let node = nodes[next]
      next += 1
      for successor in successors(node) {
        predecessors[successor, default: []].append(node)
        meet(successor, from: node)
      }
    }
  }

  private mutating func meet(_ node: Node, from origin: Node) {
    guard origins[node] == nil else { return }
    origins[node] = origin
    nodes.append(node)
  }

  func contains(_ node: Node) -> Bool { origins[node] != nil }

  /// The nodes from a start to one that was reached, both included.
  func trail(to node: Node) -> [Node] {
    var trail = [node]
    while let last = trail.last, let origin = origins[last], origin != last { trail.append(origin) }
    return trail.reversed()
  }

  /// What can reach at least one of some nodes, each with the next node on a shortest way to one; those themselves lead
  /// to themselves.
  func waysTo(_ isTarget: (Node) -> Bool) -> [Node: Node] {
    var met = nodes.filter(isTarget)
    var ways = Dictionary(uniqueKeysWithValues: met.map { ($0, $0) })
    var next = 0
    while next < met.count {
      let node = met[next]
      next += 1
      for predecessor in predecessors[node] ?? [] where ways[predecessor] == nil {
        ways[predecessor] = node
        met.append(predecessor)
      }
    }
    return ways
  }
}
