/// A list that mostly has one element, or none, and takes no memory of its own then.
struct ShortList<Element> {
  private var head: Element?
  /// Empty where there is no head.
  private var tail: [Element] = []

  init() {}

  mutating func append(_ element: Element) {
    if head == nil {
      head = element
      return
    }
    // The second one is seldom the last.
    if tail.isEmpty { tail.reserveCapacity(3) }
    tail.append(element)
  }

  /// O(n).
  mutating func remove(at position: Int) -> Element {
    if position > 0 { return tail.remove(at: position - 1) }
    guard let first = head else { preconditionFailure("removed from an empty list") }
    head = tail.isEmpty ? nil : tail.removeFirst()
    return first
  }

  /// O(n).
  mutating func removeAll(where isUnwanted: (Element) -> Bool) {
    tail.removeAll(where: isUnwanted)
    if let first = head, isUnwanted(first) { _ = remove(at: 0) }
  }

  /// Empties the list, and returns it as it was.
  mutating func removeEach() -> ShortList {
    let removed = self
    self = ShortList()
    return removed
  }

  /// Whether the next element makes the list move to a larger place.
  var isCrowded: Bool { !tail.isEmpty && tail.count == tail.capacity }

  /// Sees to it that the list is crowded only when it has become twice as long.
  mutating func makeRoom() { tail.reserveCapacity(2 * tail.count) }
}

extension ShortList: RandomAccessCollection, MutableCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { head == nil ? 0 : tail.count + 1 }

  subscript(position: Int) -> Element {
    get {
      if position > 0 { return tail[position - 1] }
      guard let head else { preconditionFailure("position 0 in an empty list") }
      return head
    }
    set {
      if position > 0 { tail[position - 1] = newValue } else { head = newValue }
    }
  }
}

extension ShortList: Sendable where Element: Sendable {}
