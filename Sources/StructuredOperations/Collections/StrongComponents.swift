/// The strongly connected components of a graph whose nodes are numbers, without recursion: Tarjan's algorithm.
///
/// O(nodes + edges).
struct StrongComponents: Sendable {
  /// The nodes of each component; a component comes after all those that lead on from it.
  private(set) var members: [[Int]] = []
  /// The component of each node.
  private(set) var component: [Int]

  /// A node whose edges are being followed.
  private struct Frame {
    let node: Int
    var successors: ArraySlice<Int>
  }

  init(count: Int, successors: (Int) -> ArraySlice<Int>) {
    component = Array(repeating: -1, count: count)
    var order = Array(repeating: -1, count: count)
    var low = Array(repeating: 0, count: count)
    var open: [Int] = []
    var visited = 0
    for start in 0..<count where order[start] < 0 {
      var frames: [Frame] = []
      func visit(_ node: Int) {
        order[node] = visited
        low[node] = visited
        visited += 1
        open.append(node)
        frames.append(Frame(node: node, successors: successors(node)))
      }
      visit(start)
      while let node = frames.last?.node {
        if let successor = frames[frames.count - 1].successors.popFirst() {
          if order[successor] < 0 {
            visit(successor)
          } else if component[successor] < 0 {
            low[node] = min(low[node], order[successor])
          }
          continue
        }
        frames.removeLast()
        if let parent = frames.last?.node { low[parent] = min(low[parent], low[node]) }
        if low[node] == order[node] { close(node, &open) }
      }
    }
  }

  private mutating func close(_ root: Int, _ open: inout [Int]) {
    guard let start = open.lastIndex(of: root) else { preconditionFailure("a component without its root") }
    let nodes = Array(open[start...])
    open.removeSubrange(start...)
    for node in nodes { component[node] = members.count }
    members.append(nodes)
  }
}
