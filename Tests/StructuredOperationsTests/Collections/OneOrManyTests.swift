import Testing

@testable import StructuredOperations

@Suite("OneOrMany")
struct OneOrManyTests {
  @Test("It is the list that it was made of, and equal to any other of the same elements", arguments: 0..<4)
  func elements(count: Int) {
    let list = OneOrMany(Array(0..<count))
    #expect(Array(list) == Array(0..<count) && list.count == count)
    #expect(list == OneOrMany(Array(0..<count)) && list != OneOrMany(Array(1...count + 1)))
    if count == 0 { #expect(list == OneOrMany()) }
    if count == 1 { #expect(list == .one(0)) }
  }
}
