import Testing

@testable import StructuredOperations

@Suite("SmallIndexSet")
struct SmallIndexSetTests {
  @Test("It has what was inserted, each index once", arguments: [[], [0], [63], [5, 3, 5], Array(0..<64)])
  func insertion(indices: [Int]) {
    var set = SmallIndexSet()
    for index in indices { set.insert(index) }
    #expect((0..<64).filter(set.contains) == Set(indices).sorted())
    #expect(set.count == Set(indices).count && set.isEmpty == indices.isEmpty)
  }

  @Test("An index that is too large stops the program")
  func tooLarge() async {
    await #expect(processExitsWith: .failure) {
      var set = SmallIndexSet()
      set.insert(64)
    }
  }
}
