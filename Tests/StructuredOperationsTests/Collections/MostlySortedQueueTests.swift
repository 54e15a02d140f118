import Testing

@testable import StructuredOperations

@Suite("MostlySortedQueue")
struct MostlySortedQueueTests {
  @Test("Elements come out by their order, however they came; those that were put back come first", arguments: 0..<20)
  func order(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var queue = MostlySortedQueue<Int>()
    var reference: [Int] = []
    for step in 0..<400 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0..<3:
        queue.insert(10 * step)
        reference.append(10 * step)
      case 3:
        let element = 10 * Int.random(in: 0...step, using: &random) + 1
        if reference.contains(element) { continue }
        queue.insert(element)
        reference.append(element)
      case 4..<6:
        #expect(queue.popFirst() == reference.popFirst())
      case 6:
        let taken = (0..<3).compactMap { _ in queue.popFirst() }
        #expect(taken == Array(reference.prefix(3)))
        for element in taken.reversed() { queue.putBack(element) }
      default:
        let divisor = Int.random(in: 5...9, using: &random)
        queue.removeAll { $0 % divisor == 0 }
        reference.removeAll { $0 % divisor == 0 }
      }
      reference.sort()
      #expect(queue.first == reference.first && queue.count == reference.count)
    }
    #expect(queue.unordered.sorted() == reference)
  }
}

extension [Int] {
  fileprivate mutating func popFirst() -> Int? { isEmpty ? nil : removeFirst() }
}
