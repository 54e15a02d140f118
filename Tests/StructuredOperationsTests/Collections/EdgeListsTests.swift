import Testing

@testable import StructuredOperations

@Suite("EdgeLists")
struct EdgeListsTests {
  @Test("Each node has the successors that were added before its end, in their order")
  func successors() {
    var lists = EdgeLists()
    #expect(lists.count == 0)
    for successors in [[2, 1], [], [0]] {
      for successor in successors { lists.append(successor) }
      lists.endNode()
    }
    #expect(lists.count == 3)
    #expect((0..<3).map { Array(lists[$0]) } == [[2, 1], [], [0]])
  }

  @Test("Reversed, each node has its predecessors, in ascending order, one for each edge")
  func reversed() {
    var lists = EdgeLists()
    for successors in [[2, 1], [], [0, 2, 0, 1], [3]] {
      for successor in successors { lists.append(successor) }
      lists.endNode()
    }
    #expect((0..<4).map { Array(lists.reversed[$0]) } == [[2, 2], [0, 2], [0, 2], [3]])
    #expect(EdgeLists().reversed.count == 0)
  }
}
