import Testing

@testable import StructuredOperations

@Suite("FIFOQueue")
struct FIFOQueueTests {
  private final class Object {}

  @Test("An empty queue has no element")
  func empty() {
    var queue = FIFOQueue<Int>()

    #expect(queue.isEmpty)
    #expect(queue.count == 0)
    #expect(queue.first == nil)
    #expect(queue.last == nil)
    #expect(queue.popFirst() == nil)
  }

  @Test("Elements are removed in the order of addition")
  func order() {
    var queue = FIFOQueue<Int>()
    for element in 0..<3 { queue.append(element) }

    #expect((queue.first, queue.last, queue.count) == (0, 2, 3))
    #expect((0..<4).map { _ in queue.popFirst() } == [0, 1, 2, nil])
  }

  @Test("Positions count from the first remaining element, and can be written")
  func positions() {
    var queue = FIFOQueue<[Int]>()
    for element in 0..<4 { queue.append([element]) }
    _ = queue.popFirst()

    queue[1].append(9)

    #expect((0..<3).map { queue[$0] } == [[1], [2, 9], [3]])
  }

  @Test("An element is removed at a position, the first and the last included")
  func removalAtPosition() {
    var queue = FIFOQueue<Int>()
    for element in 0..<5 { queue.append(element) }
    _ = queue.popFirst()

    let removed = [1, 2, 0, 0].map { queue.remove(at: $0) }

    #expect(removed == [2, 4, 1, 3])
    #expect(queue.isEmpty && queue.first == nil && queue.last == nil)
    queue.append(5)
    #expect(queue.popFirst() == 5)
  }

  @Test("An element is inserted at a position, the first and the end included")
  func insert() {
    var queue = FIFOQueue<Int>()
    for element in 0..<3 { queue.append(element) }
    _ = queue.popFirst()

    queue.insert(7, at: 1)
    queue.insert(8, at: 0)
    queue.insert(9, at: queue.count)

    #expect((0..<queue.count).map { queue[$0] } == [8, 1, 7, 2, 9])
  }

  @Test("A removed element is not kept alive")
  func release() {
    var queue = FIFOQueue<Object>()
    queue.append(Object())
    queue.append(Object())
    weak let first = queue.first

    do { _ = queue.popFirst() }

    #expect(first == nil)
    #expect(queue.count == 1)
  }

  @Test("Elements that match are removed, wherever the head is")
  func removal() {
    var queue = FIFOQueue<Int>()
    for element in 0..<10 { queue.append(element) }
    _ = queue.popFirst()

    queue.removeAll { $0 % 3 != 0 }

    #expect((0..<queue.count).map { queue[$0] } == [3, 6, 9])
    #expect(queue.first == 3)
  }

  @Test("Elements that are nil count as elements")
  func optionals() {
    var queue = FIFOQueue<Int?>()
    queue.append(nil)
    queue.append(1)

    #expect(queue.count == 2)
    #expect(queue.popFirst() == .some(nil))
    #expect(queue.popFirst() == .some(1))
    #expect(queue.popFirst() == .none)
  }

  // Bursts of thousands, so that empty slots are removed both while elements are left and when none is.
  @Test("The queue agrees with an array under random operations", arguments: 0..<20)
  func model(seed: Int) throws {
    var numbers = SeededGenerator(seed: UInt64(seed))
    var queue = FIFOQueue<Int>()
    var model: [Int] = []
    var next = 0
    for step in 0..<400 {
      switch Int.random(in: 0..<8, using: &numbers) {
      case 0..<3:
        for _ in 0..<Int.random(in: 0..<600, using: &numbers) {
          queue.append(next)
          model.append(next)
          next += 1
        }
      case 3..<7:
        let count = min(model.count, Int.random(in: 0..<800, using: &numbers))
        let popped = (0..<count).map { _ in queue.popFirst() }
        try ModelMismatch.check(popped, Array(model.prefix(count)), "what was popped", seed: seed, step: step)
        model.removeFirst(count)
      default:
        let divisor = Int.random(in: 2..<5, using: &numbers)
        queue.removeAll { $0 % divisor == 0 }
        model.removeAll { $0 % divisor == 0 }
      }
      try ModelMismatch.check(queue.count, model.count, "the count", seed: seed, step: step)
      try ModelMismatch.check(queue.isEmpty, model.isEmpty, "being empty", seed: seed, step: step)
      try ModelMismatch.check(queue.first, model.first, "the first", seed: seed, step: step)
      try ModelMismatch.check(queue.last, model.last, "the last", seed: seed, step: step)
      if let position = model.indices.randomElement(using: &numbers) {
        try ModelMismatch.check(queue[position], model[position], "position \(position)", seed: seed, step: step)
      }
    }
  }

  @Test("An element can be prepended only into the slot of a removed one")
  func prepending() {
    var queue = FIFOQueue<Int>()
    #expect(queue.prepend(0) == false)
    for number in 1...3 { queue.append(number) }
    #expect(queue.prepend(0) == false)

    #expect(queue.popFirst() == 1)
    #expect(queue.popFirst() == 2)
    #expect(queue.prepend(2) == true)
    #expect(queue.prepend(1) == true)
    #expect(queue.prepend(0) == false)

    #expect(queue.count == 3)
    #expect([queue.popFirst(), queue.popFirst(), queue.popFirst(), queue.popFirst()] == [1, 2, 3, nil])
  }

  @Test("The room that many elements needed is given back, though the queue never becomes empty")
  func memory() {
    var queue = FIFOQueue<Int>()
    for number in 0..<100_000 { queue.append(number) }
    for number in 0..<100_000 {
      queue.append(number)
      _ = queue.popFirst()
    }
    #expect(Self.capacity(of: queue) >= 100_000)

    for _ in 0..<99_999 { _ = queue.popFirst() }

    #expect(queue.count == 1)
    #expect(Self.capacity(of: queue) < 8_192)
    #expect(queue.popFirst() == 99_999)
  }

  /// How many elements there is room for.
  private static func capacity(of queue: FIFOQueue<Int>) -> Int {
    Mirror(reflecting: queue).children.lazy.compactMap { ($0.value as? [Int?])?.capacity }.first ?? 0
  }
}
