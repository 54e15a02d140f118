/// The successors of nodes that are numbers, all in one array.
///
/// Nodes are added one after the other: first the successors of one, then its end.
struct EdgeLists: Sendable {
  private var successors: [Int] = []
  /// Where those of each node end.
  private var ends: [Int] = []

  /// How many nodes there are.
  var count: Int { ends.count }

  /// The successors of a node, in the order of addition.
  subscript(node: Int) -> ArraySlice<Int> { successors[(node == 0 ? 0 : ends[node - 1])..<ends[node]] }

  /// Adds a successor of the next node.
  mutating func append(_ successor: Int) { successors.append(successor) }

  /// Adds the next node, with the successors that were added since the last one.
  mutating func endNode() { ends.append(successors.count) }

  /// The same edges the other way: the predecessors of each node, in ascending order.
  ///
  /// O(nodes + edges).
  var reversed: EdgeLists {
    var reversed = EdgeLists()
    // How many edges lead to smaller nodes.
    var starts = Array(repeating: 0, count: count + 1)
    for successor in successors { starts[successor + 1] += 1 }
    for node in 0..<count { starts[node + 1] += starts[node] }
    reversed.ends = Array(starts.dropFirst())
    reversed.successors = Array(repeating: 0, count: successors.count)
    for node in 0..<count {
      for successor in self[node] {
        reversed.successors[starts[successor]] = node
        starts[successor] += 1
      }
    }
    return reversed
  }
}
