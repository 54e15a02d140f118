/// A first-in, first-out queue in an array: amortised O(1) at both ends, O(1) access by position.
struct FIFOQueue<Element> {
  /// Those before ``head`` have left and are nil.
  private var slots: [Element?] = []
  private var head = 0

  var isEmpty: Bool { head == slots.count }
  var count: Int { slots.count - head }
  var first: Element? { isEmpty ? nil : slots[head] }
  var last: Element? { isEmpty ? nil : slots[slots.count - 1] }

  /// - Parameter position: 0 is the first element.
  subscript(position: Int) -> Element {
    // In place, as only an unwrapping does it; those before the head, which are nil, have no position.
    _read {
      // swift-format-ignore: NeverForceUnwrap
      yield slots[head + position]!
    }
    _modify {
      // swift-format-ignore: NeverForceUnwrap
      yield &slots[head + position]!
    }
  }

  mutating func append(_ element: Element) { slots.append(element) }

  mutating func popFirst() -> Element? {
    guard head < slots.count else { return nil }
    let element = slots[head].take()
    head += 1
    if head == slots.count {
      slots.removeAll(keepingCapacity: slots.count <= Self.keptCapacity)
      head = 0
    } else if head >= Self.keptCapacity, head * 2 >= slots.count {
      slots.removeFirst(head)
      head = 0
    }
    return element
  }

  /// Puts an element at the front, in the place of one that has left.
  ///
  /// - Returns: Whether there is such a place; where not, nothing happens.
  mutating func prepend(_ element: Element) -> Bool {
    guard head > 0 else { return false }
    head -= 1
    slots[head] = element
    return true
  }

  /// O(n).
  mutating func removeAll(where isUnwanted: (Element) -> Bool) {
    slots = slots[head...].filter { $0.map(isUnwanted) == false }
    head = 0
  }

  /// How much room an empty queue keeps for the next burst.
  private static var keptCapacity: Int { 1_024 }
}

extension FIFOQueue: Sendable where Element: Sendable {}
