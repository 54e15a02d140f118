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
}
