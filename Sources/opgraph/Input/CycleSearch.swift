/// Finds cycles in a graph whose nodes are numbers; O(nodes + edges).
struct CycleSearch {
  /// The edges of a graph: those of node 0 first, then those of node 1, and so on.
  struct Edges {
    /// The ends of the edges; nil for one that leads nowhere.
    fileprivate private(set) var targets: [Int?] = []
    /// The number of the first edge of each node, and of the first edge of the node after the last.
    fileprivate private(set) var starts = [0]

    var count: Int { targets.count }

    /// Adds an edge of the node that is next to be ended.
    mutating func add(to target: Int?) {
      targets.append(target)
    }

    mutating func endNode() {
      starts.append(targets.count)
    }

    /// The ends of a node's edges.
    func targets(of node: Int) -> ArraySlice<Int?> { targets[starts[node]..<starts[node + 1]] }
  }

  /// Nodes of which each has an edge to the next one, and the last to the first.
  struct Cycle: Equatable {
    /// The one with the lowest number first.
    let nodes: [Int]
    /// The number of the edge from the first to the second node.
    let firstEdge: Int
  }

  private enum Mark {
    case new
    /// On the path that is being walked.
    case open
    case done
  }

  /// The nodes whose edges have been followed: if there are no cycles, all of them in the end, each behind those that its edges
  /// lead to.
  private(set) var order: [Int] = []
  private let edges: Edges
  private var marks: [Mark]
  /// The nodes that are in a cycle that was found.
  private var found: Set<Int> = []
  /// The path that is being walked: nodes, each with the number of the edge that is followed from it.
  private var path: [(node: Int, edge: Int)] = []

  init(_ edges: Edges) {
    self.edges = edges
    marks = Array(repeating: .new, count: edges.starts.count - 1)
  }

  /// Finds at least one cycle if there is any, up to `limit`; each begins and ends its walk outside of those before.
  mutating func cycles(limit: Int) -> [Cycle] {
    var cycles: [Cycle] = []
    for root in marks.indices where marks[root] == .new {
      enter(root)
      // Not by recursion: a chain may be longer than the stack is deep.
      while let (node, edge) = path.last {
        guard edge < edges.starts[node + 1] else {
          marks[node] = .done
          order.append(node)
          path.removeLast()
          // The edge to the node that is done.
          if !path.isEmpty { path[path.count - 1].edge += 1 }
          continue
        }
        let target = edges.targets[edge]
        if let target, marks[target] == .new {
          enter(target)
          continue
        }
        if let target, marks[target] == .open, cycles.count < limit, !found.contains(target), !found.contains(node) {
          cycles.append(closePath(at: target))
        }
        path[path.count - 1].edge += 1
      }
    }
    return cycles
  }

  private mutating func enter(_ node: Int) {
    marks[node] = .open
    path.append((node, edges.starts[node]))
  }

  /// The cycle of the path's last edge, which leads back to a node on the path.
  private mutating func closePath(at target: Int) -> Cycle {
    let start = path.lastIndex { $0.node == target } ?? path.startIndex
    let steps = path[start...]
    let first = steps.indices.min { steps[$0].node < steps[$1].node } ?? start
    let rotated = steps[first...] + steps[..<first]
    found.formUnion(rotated.map(\.node))
    return Cycle(nodes: rotated.map(\.node), firstEdge: steps[first].edge)
  }
}
