import Testing

@testable import StructuredOperations

@Suite("BinaryHeap")
struct BinaryHeapTests {
  private static func heap(_ ranks: [Int]) -> BinaryHeap<ReadyQueue.Item> {
    var heap = BinaryHeap<ReadyQueue.Item>()
    for rank in ranks { heap.insert(ReadyQueue.Item(rank: rank, id: -rank)) }
    return heap
  }

  private static func drain(_ heap: BinaryHeap<ReadyQueue.Item>) -> [Int] {
    var heap = heap
    var ranks: [Int] = []
    while let item = heap.popFirst() { ranks.append(item.rank) }
    return ranks
  }

  @Test("An empty heap has no item")
  func empty() {
    var heap = BinaryHeap<ReadyQueue.Item>()

    #expect(heap.first == nil)
    #expect(heap.popFirst() == nil)
  }

  @Test(
    "The lowest rank leaves first, in whichever order they came",
    arguments: [
      [1], [1, 2], [2, 1], [1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1],
      [7, 6, 5, 4, 3, 2, 1], [4, 2, 6, 1, 3, 5, 7], [1, 7, 2, 6, 3, 5, 4],
    ])
  func order(ranks: [Int]) {
    #expect(Self.drain(Self.heap(ranks)) == ranks.sorted())
  }

  @Test("An item keeps its identifier")
  func identifiers() {
    var heap = Self.heap([3, 1, 2])

    #expect(heap.first == ReadyQueue.Item(rank: 1, id: -1))
    #expect(heap.popFirst() == ReadyQueue.Item(rank: 1, id: -1))
  }

  @Test("The items left after a removal are still in order")
  func removal() {
    var heap = Self.heap([9, 2, 7, 4, 5, 6, 3, 8, 1])

    heap.removeAll { $0.rank % 2 == 0 }

    #expect(Self.drain(heap) == [1, 3, 5, 7, 9])
  }

  @Test("The heap agrees with a sorted array under random operations", arguments: 0..<50)
  func model(seed: Int) throws {
    var numbers = SeededGenerator(seed: UInt64(seed))
    var heap = BinaryHeap<ReadyQueue.Item>()
    var model: [Int] = []
    var unused = Array(0..<500).shuffled(using: &numbers)
    for step in 0..<1_000 {
      switch Int.random(in: 0..<20, using: &numbers) {
      case 0..<11:
        guard let rank = unused.popLast() else { continue }
        heap.insert(ReadyQueue.Item(rank: rank, id: -rank))
        model.append(rank)
        model.sort()
      case 11..<19:
        let expected = model.isEmpty ? nil : model.removeFirst()
        try ModelMismatch.check(heap.popFirst()?.rank, expected, "what was popped", seed: seed, step: step)
      default:
        let divisor = Int.random(in: 5..<9, using: &numbers)
        heap.removeAll { $0.rank % divisor == 0 }
        model.removeAll { $0 % divisor == 0 }
      }
      try ModelMismatch.check(heap.first?.rank, model.first, "the first", seed: seed, step: step)
    }
    try ModelMismatch.check(Self.drain(heap), model, "the rest", seed: seed, step: 1_000)
  }

  @Test("The room that many elements needed is given back, however they are removed", arguments: [false, true])
  func memory(isEachPopped: Bool) {
    var heap = BinaryHeap<Int>()
    for number in 0..<10_000 { heap.insert(number) }
    if isEachPopped { while heap.count > 1 { _ = heap.popFirst() } } else { heap.removeAll { $0 < 9_999 } }

    let elements = Mirror(reflecting: heap).children.lazy.compactMap { $0.value as? [Int] }.first
    #expect(elements == [9_999])
    #expect(elements.map { $0.capacity <= 1_024 } == true)
  }
}
