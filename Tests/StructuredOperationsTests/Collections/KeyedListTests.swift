import TestSupport
import Testing

@testable import StructuredOperations

@Suite("KeyedList")
struct KeyedListTests {
  private struct Element: Keyed, Equatable {
    let number: Int
    var key: CountedKey?
  }

  /// Counts how often it is compared.
  private struct CountedKey: Hashable {
    let number: Int
    let comparisons: Locked<Int>

    static func == (one: Self, other: Self) -> Bool {
      one.comparisons.increment()
      return one.number == other.number
    }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  private func elements(of list: KeyedList<Element>) -> [Int] {
    var numbers: [Int] = []
    list.forEach { numbers.append($0.number) }
    return numbers
  }

  @Test("It has what an array has from which elements are removed", arguments: [4, 40, 400])
  func model(size: Int) {
    for seed in UInt64(0)..<100 {
      var generator = SeededGenerator(seed: seed)
      let comparisons = Locked(0)
      func key(_ number: Int) -> CountedKey { CountedKey(number: number, comparisons: comparisons) }
      var (list, model) = (KeyedList<Element>(), [Element]())
      for number in 0..<3 * size {
        // One that cannot be found leaves with all others alone.
        let hasKey = Int.random(in: 0..<8, using: &generator) > 0
        let element = Element(number: number, key: hasKey ? key(number) : nil)
        list.append(element)
        model.append(element)
        guard (number + 1).isMultiple(of: size) else { continue }
        for _ in 0..<Int.random(in: 0...4, using: &generator) * size {
          let candidate = Int.random(in: 0...number, using: &generator)
          let place = model.firstIndex { $0.key?.number == candidate }
          #expect(list.remove(key(candidate)) == place.map { model[$0] })
          if let place { model.remove(at: place) }
        }
        #expect(list.count == model.count && list.isEmpty == model.isEmpty)
      }
      #expect(elements(of: list) == model.map(\.number))
      let taken = list.removeEach()
      #expect(elements(of: taken) == model.map(\.number) && list.isEmpty)
      list.append(Element(number: 0, key: key(0)))
      #expect(list.remove(key(0))?.number == 0 && list.isEmpty)
    }
  }

  @Test("Where elements come and go it has no more than twice as many places as elements, and a few")
  func places() {
    let comparisons = Locked(0)
    var list = KeyedList<Element>()
    for number in 0..<10_000 {
      list.append(Element(number: number, key: CountedKey(number: number, comparisons: comparisons)))
      if number >= 100 { #expect(list.remove(CountedKey(number: number - 100, comparisons: comparisons)) != nil) }
      #expect(list.placeCount <= 2 * list.count + 2)
    }
    #expect(list.count == 100)
  }

  @Test("To take out each of many costs a few comparisons each, in any order")
  func cost() {
    let (comparisons, count) = (Locked(0), 10_000)
    var list = KeyedList<Element>()
    let keys = (0..<count).map { CountedKey(number: $0, comparisons: comparisons) }
    for (number, key) in keys.enumerated() { list.append(Element(number: number, key: key)) }
    var generator = SeededGenerator(seed: 1)
    for key in keys.shuffled(using: &generator) { #expect(list.remove(key) != nil) }
    #expect(list.isEmpty)
    #expect(comparisons.current < 50 * count)
  }
}
