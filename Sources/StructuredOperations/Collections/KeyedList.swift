/// What can be found again by a key.
protocol Keyed: Sendable {
  associatedtype Key: Hashable & Sendable

  /// Nil where nobody looks for it; no other element in a list has it.
  var key: Key? { get }
}

/// Elements in the order of their addition, which are taken out all together, or one by its key.
///
/// To take one out is O(1), amortised, however many there are: of many the places are noted once the first is taken out. A list takes the
/// room of a pointer.
struct KeyedList<Element: Keyed>: Sendable {
  private enum Storage: Sendable {
    case plain([Element])
    case indexed(OnDemand<Index>)
  }

  private struct Index: InitializableEmpty, Sendable {
    var elements: [Element?] = []
    var places: [Element.Key: Int] = [:]
    /// How many elements are gone, whose places stay.
    var holeCount = 0
  }

  /// Up to that a search is faster than the places.
  private static var few: Int { 32 }

  private var storage = Storage.plain([])

  // MARK: Queries

  var count: Int {
    switch storage {
    case .plain(let elements): elements.count
    case .indexed(let index): index.read { $0.elements.count - $0.holeCount } ?? 0
    }
  }

  var isEmpty: Bool { count == 0 }

  /// How many places there are, with those of elements that are gone.
  var placeCount: Int {
    switch storage {
    case .plain(let elements): elements.count
    case .indexed(let index): index.read(\.elements.count) ?? 0
    }
  }

  /// In the order of addition.
  func forEach(_ body: (Element) -> Void) {
    switch storage {
    case .plain(let elements): for element in elements { body(element) }
    case .indexed(let index): for case let element? in index.value.elements { body(element) }
    }
  }

  // MARK: Changes

  mutating func append(_ element: Element) {
    switch removeEach().storage {
    case .plain(var elements):
      elements.append(element)
      storage = .plain(elements)
    case .indexed(var index):
      index.change { index in
        if let key = element.key { index.places[key] = index.elements.count }
        index.elements.append(element)
      }
      storage = .indexed(index)
    }
  }

  /// Takes out the element with a key.
  mutating func remove(_ key: Element.Key) -> Element? {
    switch removeEach().storage {
    case .plain(var elements):
      if elements.count > Self.few { return remove(key, from: OnDemand(Self.index(of: elements))) }
      let removed = elements.firstIndex { $0.key == key }.map { elements.remove(at: $0) }
      storage = .plain(elements)
      return removed
    case .indexed(let index): return remove(key, from: index)
    }
  }

  private mutating func remove(_ key: Element.Key, from index: consuming OnDemand<Index>) -> Element? {
    let (removed, isSparse) = index.change { index -> (Element?, isSparse: Bool) in
      guard let place = index.places.removeValue(forKey: key) else { return (nil, false) }
      index.holeCount += 1
      return (index.elements[place].take(), index.holeCount > index.elements.count / 2)
    }
    storage = isSparse ? .plain(index.value.elements.compactMap(\.self)) : .indexed(index)
    return removed
  }

  /// Takes out all.
  mutating func removeEach() -> KeyedList {
    var taken = KeyedList()
    swap(&taken, &self)
    return taken
  }

  /// O(n).
  private static func index(of elements: [Element]) -> Index {
    var index = Index(elements: elements)
    for (place, element) in elements.enumerated() { if let key = element.key { index.places[key] = place } }
    return index
  }
}
