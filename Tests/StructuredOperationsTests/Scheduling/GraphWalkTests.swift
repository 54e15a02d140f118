import Testing

@testable import StructuredOperations

@Suite("GraphWalk")
struct GraphWalkTests {
  private func walk(from starts: [Int], _ edges: [Int: [Int]]) -> GraphWalk<Int> {
    GraphWalk(from: starts) { edges[$0] ?? [] }
  }

  @Test("From nowhere nothing is reached")
  func nowhere() {
    let walk = walk(from: [], [1: [2]])
    #expect(walk.nodes == [])
    #expect(Set(walk.waysTo { _ in true }.keys) == [])
  }

  @Test("What can be reached is met once each, the starts first, then by the number of steps")
  func nodes() {
    #expect(walk(from: [1], [1: [2, 3], 2: [4], 3: [4, 5], 9: [1]]).nodes == [1, 2, 3, 4, 5])
    #expect(walk(from: [3, 1, 3], [1: [2], 3: [1]]).nodes == [3, 1, 2])
  }

  @Test("Loops and edges to oneself come to an end")
  func loops() {
    #expect(walk(from: [1], [1: [1, 2], 2: [3], 3: [1]]).nodes == [1, 2, 3])
  }

  @Test("Each node's successors are asked for once, and those of none that is not reached")
  func asksOnce() {
    var asked: [Int] = []
    _ = GraphWalk(from: [1, 2]) { node -> [Int] in
      asked.append(node)
      return node < 4 ? [3, 4] : []
    }
    #expect(asked == [1, 2, 3, 4])
  }

  @Test("A trail goes from a start to a node, by the fewest steps")
  func trail() {
    let walk = walk(from: [1, 10], [1: [2], 2: [3], 3: [4], 10: [11], 11: [4]])
    #expect(walk.trail(to: 1) == [1])
    #expect(walk.trail(to: 3) == [1, 2, 3])
    #expect(walk.trail(to: 4) == [10, 11, 4])
  }

  @Test("A start that another one leads to has a trail of its own")
  func trailToStart() {
    #expect(walk(from: [1, 2], [1: [2], 2: [3]]).trail(to: 3) == [2, 3])
  }

  @Test("What reaches a node are that node and all from which a way leads there")
  func reaching() {
    let walk = walk(from: [1, 5], [1: [2, 3], 2: [4], 5: [3], 3: [6]])
    #expect(Set(walk.waysTo { $0 == 4 }.keys) == [1, 2, 4])
    #expect(Set(walk.waysTo { $0 == 3 || $0 == 4 }.keys) == [1, 2, 3, 4, 5])
    #expect(Set(walk.waysTo { $0 == 1 }.keys) == [1])
    #expect(Set(walk.waysTo { _ in false }.keys) == [])
    #expect(Set(walk.waysTo { $0 == 99 }.keys) == [])
  }

  @Test("The way to a node is a shortest one, and the node itself leads to itself")
  func ways() {
    let walk = walk(from: [1], [1: [2, 5], 2: [3], 3: [4], 5: [4, 6]])
    #expect(walk.waysTo { $0 == 4 } == [4: 4, 3: 4, 5: 4, 2: 3, 1: 5])
    #expect(walk.contains(6) && !walk.contains(7))
  }

  @Test("In a loop everything reaches everything")
  func reachingInLoop() {
    #expect(Set(walk(from: [1], [1: [2], 2: [3], 3: [1, 4]]).waysTo { $0 == 2 }.keys) == [1, 2, 3])
  }

  @Test("A chain of 100 000 nodes is gone through without recursion")
  func longChain() {
    let walk = GraphWalk(from: [0]) { $0 < 100_000 ? [$0 + 1] : [] }
    #expect(walk.nodes.count == 100_001)
    #expect(walk.trail(to: 100_000).count == 100_001)
    #expect(walk.waysTo { $0 == 100_000 }.count == 100_001)
  }

  @Test("In random graphs trails lead along edges, and reaching agrees with walking from each node")
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
        let trail = walk.trail(to: node)
        let isWay = zip(trail, trail.dropFirst()).allSatisfy { edges[$0]?.contains($1) == true }
        try ModelMismatch.check(isWay, true, "\(trail) being a way", seed: seed, step: node)
        try ModelMismatch.check(trail.first.map(starts.contains), true, "the start of \(trail)", seed: seed, step: node)
        try ModelMismatch.check(trail.last, node, "the end of \(trail)", seed: seed, step: node)
      }
      let expected = walk.nodes.filter { self.walk(from: [$0], edges).nodes.contains(target) }
      try ModelMismatch.check(
        Set(walk.waysTo { $0 == target }.keys), Set(expected), "what reaches \(target)", seed: seed, step: 0)
    }
  }
}
