import Testing

@testable import StructuredOperations

@Suite("ShortList")
struct ShortListTests {
  private func list(_ elements: some Sequence<Int>) -> ShortList<Int> {
    var list = ShortList<Int>()
    for element in elements { list.append(element) }
    return list
  }

  @Test("It holds its elements in the order of addition", arguments: 0...4)
  func order(count: Int) {
    let list = list(0..<count)
    #expect(Array(list) == Array(0..<count))
    #expect(list.count == count && list.isEmpty == (count == 0))
    #expect(list.first == (count == 0 ? nil : 0))
    var visited: [Int] = []
    list.forEach { visited.append($0) }
    #expect(visited == Array(0..<count))
  }

  @Test("Each element can be read in its place", arguments: 0..<4)
  func read(position: Int) {
    #expect(list(0..<4).read(at: position) { 2 * $0 } == 2 * position)
  }

  @Test("Each element can be changed in its place", arguments: 0..<4)
  func change(position: Int) {
    var list = list(0..<4)
    list.modify(at: position) { $0 += 9 - position }
    #expect(Array(list) == (0..<4).map { $0 == position ? 9 : $0 })
  }

  @Test("All elements can be changed in their places", arguments: 0...4)
  func changeOfEach(count: Int) {
    var list = list(0..<count)
    list.modifyEach { $0 += 1 }
    #expect(Array(list) == Array(1..<count + 1))
  }

  @Test("Removing one leaves the others in their order", arguments: 0..<4)
  func removal(position: Int) {
    var list = list(0..<4)
    #expect(list.remove(at: position) == position)
    #expect(Array(list) == (0..<4).filter { $0 != position })
  }

  @Test("The only element can be removed, and another appended", arguments: [true, false])
  func lastOne(isFound: Bool) {
    var list = list([1])
    if isFound { list.removeAll { $0 == 1 } } else { _ = list.remove(at: 0) }
    #expect(list.isEmpty)
    list.append(2)
    #expect(Array(list) == [2])
  }

  @Test("Elements that match are removed at every position", arguments: 0..<16)
  func removalOfSome(bits: Int) {
    var list = list(0..<4)
    list.removeAll { bits & 1 << $0 != 0 }
    #expect(Array(list) == (0..<4).filter { bits & 1 << $0 == 0 })
  }

  @Test("After doubling its capacity a list is not full before it is twice as long", arguments: [4, 10, 100])
  func room(count: Int) {
    var list = list(0..<count)
    list.doubleCapacity()
    for number in count..<2 * count - 2 {
      list.append(number)
      #expect(!list.isAtCapacity)
    }
  }

  @Test("Removing each element returns all and leaves the list empty")
  func removalOfEach() {
    var list = list(0..<3)
    #expect(Array(list.removeEach()) == [0, 1, 2])
    #expect(list.isEmpty)
  }

  @Test("A list that many elements were removed from keeps room for few")
  func memory() {
    var list = list(0..<10_000)
    list.removeAll { $0 > 2 }

    var room = 0
    while !list.isAtCapacity {
      list.append(room)
      room += 1
    }
    #expect(room < 100)
  }
}
