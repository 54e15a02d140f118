/// Finds what every node of a graph of causes goes back to: its roots, and loops, which have no way out.
///
/// Nodes are numbers. A *group* stands for several nodes, so that many that wait for the same few need no edge to each; it
/// is no root itself. One of a group may be enough, so a group's edges alone make no loop: only where
/// nothing else is reached.
struct RootSearch: Sendable {
  private let successors: EdgeLists
  private let isGroup: [Bool]
  /// Whether a node is a root, or in a loop.
  private var isRoot: [Bool]
  /// The number of the loop that a node is in; -1 if it is in none.
  private var loop: [Int]
  private var component: [Int] = []
  /// The roots of each component, where they are few; many are looked for when somebody asks.
  private var fewRoots: [[Int]?] = []

  private static var few: Int { 16 }

  /// O(nodes + edges).
  ///
  /// - Parameters:
  ///   - successors: The causes of each node.
  ///   - isRoot: Whether a node is a cause without causes that matter.
  ///   - isGroup: Whether a node is a group.
  ///   - needsOne: Whether one of a group is enough.
  ///   - mayEnd: Whether there is no loop through a group of which one is enough, though all of it lead back.
  init(successors: EdgeLists, isRoot: [Bool], isGroup: [Bool], needsOne: [Bool], mayEnd: [Bool]) {
    self.successors = successors
    self.isGroup = isGroup
    self.isRoot = isRoot
    loop = Array(repeating: -1, count: successors.count)
    let certain = StrongComponents(count: successors.count) { needsOne[$0] ? [] : successors[$0] }
    var loopCount = 0
    for members in certain.members where isLoop(members) && !members.allSatisfy({ needsOne[$0] }) {
      mark(members, asLoop: &loopCount)
    }
    let all = needsOne.contains(true) ? StrongComponents(count: successors.count) { successors[$0] } : certain
    component = all.component
    fewRoots.reserveCapacity(all.members.count)
    for members in all.members {
      fewRoots.append(findRoots(of: members, mayBeLoop: !members.contains { mayEnd[$0] }, &loopCount))
    }
  }

  private func isLoop(_ members: [Int]) -> Bool {
    members.count > 1 || members.first.map { successors[$0].contains($0) } == true
  }

  private mutating func mark(_ members: [Int], asLoop count: inout Int) {
    for node in members {
      loop[node] = count
      if !isGroup[node] { isRoot[node] = true }
    }
    count += 1
  }

  /// The roots of a component, all of whose successors have theirs; nil if there are many.
  ///
  /// - Parameter mayBeLoop: Whether they are a loop where none of them leads to a root.
  private mutating func findRoots(of members: [Int], mayBeLoop: Bool, _ loopCount: inout Int) -> [Int]? {
    var roots: [Int] = []
    var isFirst = true
    func add(_ node: Int) { if !roots.contains(node) { roots.append(node) } }
    for node in members where isRoot[node] {
      add(node)
      isFirst = false
      if roots.count > Self.few { return nil }
    }
    let own = members.first.map { component[$0] }
    for node in members {
      for successor in successors[node] where component[successor] != own {
        guard let others = fewRoots[component[successor]] else { return nil }
        // Shared by all that go back to the same.
        if isFirst { roots = others } else { for other in others { add(other) } }
        isFirst = false
        if roots.count > Self.few { return nil }
      }
    }
    guard roots.isEmpty, mayBeLoop, isLoop(members) else { return roots }
    mark(members, asLoop: &loopCount)
    roots = members.filter { !isGroup[$0] }
    return roots.count > Self.few ? nil : roots
  }

  // MARK: Queries

  /// The roots of a node, without itself.
  ///
  /// O(1) where they are few, else O(what the node leads to).
  func roots(of node: Int) -> [Int] {
    if let few = fewRoots[component[node]] { return few.filter { $0 != node } }
    var roots: [Int] = []
    walk(from: node) { next, _ in
      if isRoot[next], next != node { roots.append(next) }
      return false
    }
    return roots
  }

  /// Whether the node is in a loop.
  func isInLoop(_ node: Int) -> Bool { loop[node] >= 0 }

  /// A shortest way from a node to a root, both included; the node alone if there is none.
  func path(from node: Int) -> [Int] {
    path(from: node) { $0 != node && isRoot[$0] }
  }

  /// A shortest way from a node of a loop back to itself, which is first and last.
  func cycle(through node: Int) -> [Int] {
    let own = loop[node]
    var parents: [Int: Int] = [:]
    var queue = [node]
    var next = 0
    while next < queue.count {
      let current = queue[next]
      next += 1
      for successor in successors[current] where loop[successor] == own {
        if successor == node { return way(to: current, parents) + [node] }
        if parents[successor] != nil { continue }
        parents[successor] = current
        queue.append(successor)
      }
    }
    return [node]
  }

  // MARK: Helpers

  private func path(from node: Int, to isEnd: (Int) -> Bool) -> [Int] {
    var parents: [Int: Int] = [:]
    var end: Int?
    walk(from: node) { next, parent in
      if let parent { parents[next] = parent }
      if isEnd(next) { end = next }
      return end != nil
    }
    return end.map { way(to: $0, parents) } ?? [node]
  }

  private func way(to node: Int, _ parents: [Int: Int]) -> [Int] {
    var way = [node]
    while let last = way.last, let parent = parents[last] { way.append(parent) }
    return way.reversed()
  }

  /// Visits what a node leads to, itself first, in breadth-first order, until the closure returns true.
  private func walk(from node: Int, _ visit: (Int, _ parent: Int?) -> Bool) {
    var isVisited = Array(repeating: false, count: successors.count)
    isVisited[node] = true
    var queue = [node]
    if visit(node, nil) { return }
    var next = 0
    while next < queue.count {
      let current = queue[next]
      next += 1
      for successor in successors[current] where !isVisited[successor] {
        isVisited[successor] = true
        if visit(successor, current) { return }
        queue.append(successor)
      }
    }
  }
}
