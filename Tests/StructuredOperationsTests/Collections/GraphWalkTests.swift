import Testing

@testable import StructuredOperations

@Suite("GraphWalk")
struct GraphWalkTests {
  private func walk(from starts: [Int], _ edges: [Int: [Int]]) -> GraphWalk<Int> {
    GraphWalk(from: starts) { edges[$0] ?? [] }
  }

  @Test("Without starts nothing is visited")
  func nowhere() {
    let walk = walk(from: [], [1: [2]])
    #expect(walk.nodes == [])
    #expect(Set(walk.ways { _ in true }.keys) == [])
  }

  @Test("Each reachable node is visited once, in breadth-first order")
  func nodes() {
    #expect(walk(from: [1], [1: [2, 3], 2: [4], 3: [4, 5], 9: [1]]).nodes == [1, 2, 3, 4, 5])
    #expect(walk(from: [3, 1, 3], [1: [2], 3: [1]]).nodes == [3, 1, 2])
  }

  @Test("The walk ends in spite of cycles and self-edges")
  func loops() {
    #expect(walk(from: [1], [1: [1, 2], 2: [3], 3: [1]]).nodes == [1, 2, 3])
  }

  @Test("The successors of each visited node are requested once, and those of no other")
  func asksOnce() {
    var asked: [Int] = []
    _ = GraphWalk(from: [1, 2]) { node -> [Int] in
      asked.append(node)
      return node < 4 ? [3, 4] : []
    }
    #expect(asked == [1, 2, 3, 4])
  }

  @Test("A path goes from a start to a node, by the fewest edges")
  func path() {
    let walk = walk(from: [1, 10], [1: [2], 2: [3], 3: [4], 10: [11], 11: [4]])
    #expect(walk.path(to: 1) == [1])
    #expect(walk.path(to: 3) == [1, 2, 3])
    #expect(walk.path(to: 4) == [10, 11, 4])
  }

  @Test("The path to a node behind several starts begins at the nearest start")
  func pathFromNearestStart() {
    #expect(walk(from: [1, 2], [1: [2], 2: [3]]).path(to: 3) == [2, 3])
  }

  @Test("The nodes that reach a target are the target and those with a path to it")
  func reaching() {
    let walk = walk(from: [1, 5], [1: [2, 3], 2: [4], 5: [3], 3: [6]])
    #expect(Set(walk.ways { $0 == 4 }.keys) == [1, 2, 4])
    #expect(Set(walk.ways { $0 == 3 || $0 == 4 }.keys) == [1, 2, 3, 4, 5])
    #expect(Set(walk.ways { $0 == 1 }.keys) == [1])
    #expect(Set(walk.ways { _ in false }.keys) == [])
    #expect(Set(walk.ways { $0 == 99 }.keys) == [])
  }

  @Test("A way takes the fewest steps to the nearest target, which has one without steps itself")
  func ways() {
    let walk = walk(from: [1], [1: [2, 5], 2: [3], 3: [4], 5: [4, 6], 6: [7], 7: [4], 8: [4]])
    func way(_ next: Int, _ last: Int, _ target: Int, _ stepCount: Int) -> GraphWalk<Int>.Way {
      GraphWalk<Int>.Way(next: next, last: last, target: target, stepCount: stepCount)
    }
    #expect(
      walk.ways { $0 == 4 } == [
        4: way(4, 4, 4, 0), 3: way(4, 3, 4, 1), 5: way(4, 5, 4, 1), 7: way(4, 7, 4, 1), 2: way(3, 3, 4, 2),
        6: way(7, 7, 4, 2), 1: way(5, 5, 4, 2),
      ])
    #expect(walk.ways { $0 == 4 || $0 == 7 }[6] == way(7, 6, 7, 1))
    #expect(walk.contains(6) && !walk.contains(8))
  }

  @Test("On a cycle every node reaches every other")
  func reachingInLoop() {
    #expect(Set(walk(from: [1], [1: [2], 2: [3], 3: [1, 4]]).ways { $0 == 2 }.keys) == [1, 2, 3])
  }

  @Test("A chain of 100 000 nodes is traversed without recursion")
  func longChain() {
    let walk = GraphWalk(from: [0]) { $0 < 100_000 ? [$0 + 1] : [] }
    #expect(walk.nodes.count == 100_001)
    #expect(walk.path(to: 100_000).count == 100_001)
    let ways = walk.ways { $0 == 100_000 }
    #expect(ways.count == 100_001)
    #expect(ways[0] == .init(next: 1, last: 99_999, target: 100_000, stepCount: 100_000))
  }

  @Test("In random graphs paths follow edges, and ways agree with a walk from each node")
  func randomGraphs() throws {
    for seed in 0..<300 {
      var random = SeededGenerator(seed: UInt64(seed))
      let count = Int.random(in: 1...12, using: &random)
      var edges: [Int: [Int]] = [:]
      for _ in 0..<Int.random(in: 0...20, using: &random) {
        edges[Int.random(in: 0..<count, using: &random), default: []].append(Int.random(in: 0..<count, using: &random))
      }
      let starts = (0..<count).filter { _ in random.oneIn(3) }
      let target = Int.random(in: 0..<count, using: &random)
      let walk = walk(from: starts, edges)
      for node in walk.nodes {
        let path = walk.path(to: node)
        let isPath = zip(path, path.dropFirst()).allSatisfy { edges[$0]?.contains($1) == true }
        try ModelMismatch.check(isPath, true, "\(path) being a path", seed: seed, step: node)
        try ModelMismatch.check(path.first.map(starts.contains), true, "the start of \(path)", seed: seed, step: node)
        try ModelMismatch.check(path.last, node, "the end of \(path)", seed: seed, step: node)
      }
      let walks = walk.nodes.map { self.walk(from: [$0], edges) }.filter { $0.contains(target) }
      let steps = Dictionary(uniqueKeysWithValues: walks.map { ($0.nodes[0], $0.path(to: target).count - 1) })
      let ways = walk.ways { $0 == target }
      try ModelMismatch.check(ways.mapValues(\.stepCount), steps, "the ways to \(target)", seed: seed, step: 0)
      for (node, way) in ways where node != target {
        let isWay = edges[node]?.contains(way.next) == true && edges[way.last]?.contains(target) == true
        try ModelMismatch.check(isWay, true, "\(way) being a way", seed: seed, step: node)
      }
    }
  }
}
