import Testing

@testable import opgraph

@Suite("CycleSearch")
struct CycleSearchTests {
  private func cycles(_ edges: [[Int?]], limit: Int = 20) -> [[Int]] {
    var list = CycleSearch.Edges()
    for targets in edges {
      for target in targets { list.add(to: target) }
      list.endNode()
    }
    var search = CycleSearch(list)
    return search.cycles(limit: limit).map { $0.nodes + [$0.firstEdge] }
  }

  @Test(
    "Each cycle is nodes that lead to one another, the lowest first, with the edge that begins it",
    arguments: [
      ([], []),
      ([[], [0], [0, 1], [nil, 2]], []),
      ([[0]], [[0, 0]]),
      ([[1], [0]], [[0, 1, 0]]),
      // Begins at 2: node 0 only leads there. The edges of node 1 are 1 and 2, the edge of node 2 is 3.
      ([[2], [nil, 2], [1]], [[1, 2, 2]]),
      ([[1], [2], [3], [1, 0]], [[1, 2, 3, 1]]),
      // Two that have nothing to do with each other.
      ([[1], [0], [3], [2]], [[0, 1, 0], [2, 3, 2]]),
      // The same end in two ways is one cycle.
      ([[1, 2], [0], [0]], [[0, 1, 0]]),
    ] as [([[Int?]], [[Int]])])
  func found(edges: [[Int?]], expected: [[Int]]) {
    #expect(cycles(edges) == expected)
  }

  @Test("No more are found than asked for")
  func limit() {
    #expect(cycles((0..<10).map { [$0] }, limit: 3).count == 3)
  }

  @Test("A long chain needs no deep stack, whether it is closed or not")
  func long() {
    let count = 200_000
    let chain = (0..<count).map { $0 + 1 < count ? [$0 + 1] : [] }
    #expect(cycles(chain).isEmpty)
    #expect(cycles(chain.dropLast() + [[0]]).map(\.count) == [count + 1])
  }
}
