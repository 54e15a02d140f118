import Testing

@testable import StructuredOperations

@Suite("PathSearch")
struct PathSearchTests {
  /// A graph of numbers that counts the edges that a search requests.
  private final class Graph {
    private var successors: [Int: [Int]] = [:]
    private var predecessors: [Int: [Int]] = [:]
    /// Includes requests past the last edge of a node.
    private(set) var stepCount = 0

    init(_ edges: some Sequence<(Int, Int)>) {
      for (from, to) in edges {
        successors[from, default: []].append(to)
        predecessors[to, default: []].append(from)
      }
    }

    func path(from start: Int, to end: Int) -> [Int]? {
      var visited: [Int] = []
      return PathSearch.path(
        from: start, to: end, successor: { self.edge(below: $1, of: self.successors[$0]) },
        predecessor: { self.edge(below: $1, of: self.predecessors[$0]) }, visited: &visited)
    }

    private func edge(below limit: Int, of neighbours: [Int]?) -> PathSearch<Int>.Edge? {
      stepCount += 1
      let neighbours = neighbours ?? []
      return .last(of: neighbours.count, below: limit) { neighbours[$0] }
    }

    func hasEdge(_ from: Int, _ to: Int) -> Bool { successors[from]?.contains(to) == true }

    /// The nodes that can be reached, by a naive search.
    func reachable(from start: Int) -> Set<Int> {
      var reached: Set<Int> = []
      var rest = successors[start] ?? []
      while let node = rest.popLast() {
        if reached.insert(node).inserted { rest += successors[node] ?? [] }
      }
      return reached
    }
  }

  @Test(
    "Between unconnected nodes there is no path",
    arguments: [
      [], [(2, 1)], [(1, 3), (4, 2)], [(1, 3), (3, 1), (2, 4), (4, 2)], [(3, 1), (2, 3)], [(1, 1), (2, 2)],
    ] as [[(Int, Int)]])
  func noPath(edges: [(Int, Int)]) {
    #expect(Graph(edges).path(from: 1, to: 2) == nil)
  }

  @Test(
    "A path includes both ends and follows the edges",
    arguments: [
      ([(1, 2)], [1, 2]),
      ([(1, 3), (3, 2)], [1, 3, 2]),
      ([(1, 3), (3, 4), (4, 2)], [1, 3, 4, 2]),
      ([(1, 3), (3, 4), (4, 5), (5, 2)], [1, 3, 4, 5, 2]),
      ([(5, 2), (4, 5), (1, 3), (3, 4), (1, 6), (7, 2), (6, 8), (9, 7)], [1, 3, 4, 5, 2]),
    ] as [([(Int, Int)], [Int])])
  func path(edges: [(Int, Int)], path: [Int]) {
    #expect(Graph(edges).path(from: 1, to: 2) == path)
  }

  @Test("The search ends in spite of cycles elsewhere")
  func loopsElsewhere() {
    let loops = [(1, 3), (3, 4), (4, 3), (4, 1), (5, 2), (6, 5), (5, 6), (2, 6), (7, 7)]

    #expect(Graph(loops).path(from: 1, to: 2) == nil)
    #expect(Graph(loops + [(4, 7), (7, 5)]).path(from: 1, to: 2) == [1, 3, 4, 7, 5, 2])
  }

  @Test("A chain of 100 000 nodes is searched without recursion, each node once")
  func longChain() {
    let length = 100_000
    let graph = Graph((0..<length).lazy.map { ($0, $0 + 1) })

    #expect(graph.path(from: 0, to: length) == Array(0...length))
    #expect(graph.stepCount <= 2 * length + 2)
    #expect(graph.path(from: length, to: 0) == nil)
  }

  @Test("If one end has no edges, the graph at the other end is not searched")
  func cheapEnd() {
    let chain = (0..<100_000).lazy.map { ($0, $0 + 1) }
    let (before, after) = (Graph(chain), Graph(chain))

    #expect(before.path(from: 0, to: -1) == nil)
    #expect(before.stepCount <= 2)
    #expect(after.path(from: -1, to: 100_000) == nil)
    #expect(after.stepCount == 1)
  }

  @Test("Both ends take turns, so that the search costs no more than twice the easier direction")
  func twiceTheEasier() {
    // Five nodes can be reached from 0; 10 000 lead to -1.
    let easy = (0..<5).map { ($0, $0 + 1) }
    let hard = (10..<10_010).map { ($0 + 1, $0) } + [(10, -1)]
    let forward = Graph(easy + hard)
    let backward = Graph((easy + hard).map { ($1, $0) })

    #expect(forward.path(from: 0, to: -1) == nil)
    #expect(forward.stepCount <= 24)
    #expect(backward.path(from: -1, to: 0) == nil)
    #expect(backward.stepCount <= 24)
  }

  @Test("A node with many edges costs no more than the other direction has")
  func hub() {
    // 10 000 nodes lead to 1; from 0 there are three steps and no way to 1.
    let graph = Graph((10..<10_010).map { ($0, 1) } + [(0, 2), (2, 3), (3, 4)])

    #expect(graph.path(from: 0, to: 1) == nil)
    #expect(graph.stepCount <= 16)
  }

  @Test("An ignored edge is not followed, and the visited nodes are reported")
  func passedOver() {
    var visited: [Int] = []

    let path = PathSearch.path(
      from: 1, to: 2,
      successor: { node, limit in .last(of: node == 1 ? 2 : 1, below: limit) { $0 == 0 && node == 1 ? 3 : nil } },
      predecessor: { node, limit in .last(of: node == 2 ? 1 : 0, below: limit) { _ in 3 } }, visited: &visited)

    #expect(path == [1, 3, 2])
    #expect(Set(visited) == [1, 2, 3])
  }

  @Test(
    "Edges that vanish during the search hide no other one, in either direction, whichever they are and whenever",
    arguments: 0..<16)
  func vanishing(removed: Int) {
    for way in 0..<4 where removed & 1 << way == 0 {
      for (isForward, time) in [false, true].flatMap({ isForward in (0..<10).map { (isForward, $0) } }) {
        // From 0 there are edges to 1, 2, 3 and 4, and from one of these to 9; the others lead on, so that the search takes its time.
        var neighbours = [0: [1, 2, 3, 4], 1: [11], 2: [12], 3: [13], 4: [14]]
        neighbours[way + 1] = [9]
        var count = 0
        let edge = { (node: Int, limit: Int) -> PathSearch<Int>.Edge? in
          if count == time { neighbours[0]?.removeAll { removed & 1 << ($0 - 1) != 0 } }
          count += 1
          let list = neighbours[node] ?? []
          return .last(of: list.count, below: limit) { list[$0] }
        }
        // The other direction never comes to an end, and never meets this one.
        let away = { (node: Int, _: Int) in PathSearch<Int>.Edge(index: 0, node: node + 1_000) }
        var visited: [Int] = []
        let path =
          isForward
          ? PathSearch.path(from: 0, to: 9, successor: edge, predecessor: away, visited: &visited)
          : PathSearch.path(from: 9, to: 0, successor: away, predecessor: edge, visited: &visited)
        #expect(path == (isForward ? [0, way + 1, 9] : [9, way + 1, 0]), "removed at step \(time)")
      }
    }
  }

  @Test("In random graphs there is a path where a naive search finds one", arguments: 0..<300)
  func random(seed: Int) throws {
    var numbers = SeededGenerator(seed: UInt64(seed))
    let nodeCount = Int.random(in: 2...30, using: &numbers)
    let edges = (0..<Int.random(in: 0...2 * nodeCount, using: &numbers)).map { _ in
      (Int.random(in: 0..<nodeCount, using: &numbers), Int.random(in: 0..<nodeCount, using: &numbers))
    }
    let graph = Graph(edges)
    for start in 0..<nodeCount {
      let reachable = graph.reachable(from: start)
      for end in 0..<nodeCount where end != start {
        let path = graph.path(from: start, to: end)
        try ModelMismatch.check(path != nil, reachable.contains(end), "\(start) to \(end)", seed: seed, step: 0)
        guard let path else { continue }
        try ModelMismatch.check(path.first, start, "the start", seed: seed, step: 0)
        try ModelMismatch.check(path.last, end, "the end", seed: seed, step: 0)
        try ModelMismatch.check(Set(path).count, path.count, "each once in \(path)", seed: seed, step: 0)
        let isConnected = zip(path, path.dropFirst()).allSatisfy { graph.hasEdge($0, $1) }
        try ModelMismatch.check(isConnected, true, "\(path) along edges", seed: seed, step: 0)
      }
    }
  }
}
