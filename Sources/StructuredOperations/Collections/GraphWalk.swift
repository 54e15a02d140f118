/// A breadth-first traversal of a graph, without recursion.
struct GraphWalk<Node: Hashable> {
  /// The visited nodes, starts included, in breadth-first order.
  private(set) var nodes: [Node] = []
  /// The place of each of them.
  private var places: [Node: Int] = [:]
  /// By place, the place of the predecessor on a shortest path from a start; a start is its own predecessor.
  private var parents: [Int] = []
  /// By place, the places of the successors.
  private var successors = EdgeLists()

  init(from starts: [Node], successors: (Node) -> [Node]) {
    for start in starts { _ = visit(start, from: nil) }
    while self.successors.count < nodes.count {
      let place = self.successors.count
      for successor in successors(nodes[place]) { self.successors.append(visit(successor, from: place)) }
      self.successors.endNode()
    }
  }

  /// - Returns: The place of the node.
  private mutating func visit(_ node: Node, from parent: Int?) -> Int {
    if let place = places[node] { return place }
    let place = nodes.count
    places[node] = place
    nodes.append(node)
    parents.append(parent ?? place)
    return place
  }

  func contains(_ node: Node) -> Bool { places[node] != nil }

  /// A shortest path from a start to a visited node, both included.
  func path(to node: Node) -> [Node] {
    guard var place = places[node] else { preconditionFailure("a path to a node that was not visited") }
    var path = [node]
    while parents[place] != place {
      place = parents[place]
      path.append(nodes[place])
    }
    return path.reversed()
  }

  /// A shortest way from a node to a target.
  struct Way: Equatable {
    /// The next node on the way; the target itself on a way without steps.
    let next: Node
    /// The node before the target; the target itself on a way without steps.
    let last: Node
    let target: Node
    let stepCount: Int
  }

  /// Every visited node that can reach a target, with its way there.
  ///
  /// O(nodes and edges), however long the ways are.
  func ways(to isTarget: (Node) -> Bool) -> [Node: Way] {
    var ways: [Node: Way] = [:]
    var found: [Int] = []
    for (place, node) in nodes.enumerated() where isTarget(node) {
      ways[node] = Way(next: node, last: node, target: node, stepCount: 0)
      found.append(place)
    }
    let predecessors = successors.reversed
    var next = 0
    while next < found.count {
      let node = nodes[found[next]]
      for place in predecessors[found[next]] {
        guard let way = ways[node], ways[nodes[place]] == nil else { continue }
        ways[nodes[place]] = Way(
          next: node, last: way.stepCount == 0 ? nodes[place] : way.last, target: way.target,
          stepCount: way.stepCount + 1)
        found.append(place)
      }
      next += 1
    }
    return ways
  }
}

extension GraphWalk: Sendable where Node: Sendable {}
