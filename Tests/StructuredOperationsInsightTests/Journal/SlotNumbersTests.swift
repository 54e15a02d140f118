import Testing

@testable import StructuredOperationsInsight

@Suite("SlotNumbers")
struct SlotNumbersTests {
  @Test("The smallest free number is given out, beyond 64 as well")
  func smallest() {
    var numbers = SlotNumbers()
    let first = (1...200).map { _ in numbers.take() }
    #expect(first == Array(1...200))
    for number in [150, 3, 64, 65] { numbers.giveBack(number) }
    let later = (0..<5).map { _ in numbers.take() }
    #expect(later == [3, 64, 65, 150, 201])
  }

  @Test("Random numbers come as from a sorted list", arguments: 0..<20)
  func random(seed: UInt64) {
    var generator = RandomNumbers(seed: seed)
    var numbers = SlotNumbers()
    var taken: Set<Int> = []
    for _ in 0..<500 {
      if let number = taken.randomElement(using: &generator), Bool.random(using: &generator) {
        numbers.giveBack(number)
        taken.remove(number)
      } else {
        let expected = (1...).first { !taken.contains($0) }
        let number = numbers.take()
        #expect(number == expected)
        taken.insert(number)
      }
    }
  }
}
