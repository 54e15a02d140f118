/// A first-in, first-out queue in an array, with amortised O(1) operations at both ends and O(1) random access.
struct FIFOQueue<Element> {
  /// Slots before ``head`` are empty.
  private var slots: [Element?] = []
  private var head = 0

  var isEmpty: Bool { head == slots.count }
  var count: Int { slots.count - head }
  var first: Element? { isEmpty ? nil : slots[head] }
  var last: Element? { isEmpty ? nil : slots[slots.count - 1] }

  /// - Parameter position: 0 is the first element.
  subscript(position: Int) -> Element {
    // Slots from the head on are never nil. Only a forced unwrapping lets an element be changed in place.
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
      slots.shrinkIfSparse()
      head = 0
    }
    return element
  }

  /// Puts an element at the front, into the slot of an element that was removed.
  ///
  /// - Returns: False, without effect, if there is no such slot.
  mutating func prepend(_ element: Element) -> Bool {
    guard head > 0 else { return false }
    head -= 1
    slots[head] = element
    return true
  }

  /// O(n).
  ///
  /// - Parameter position: 0 is that of the first element.
  mutating func insert(_ element: Element, at position: Int) { slots.insert(element, at: head + position) }

  /// O(n).
  ///
  /// - Parameter position: 0 is that of the first element.
  mutating func remove(at position: Int) -> Element {
    guard let element = slots.remove(at: head + position) else { preconditionFailure("an empty slot was removed") }
    return element
  }

  /// O(n).
  mutating func removeAll(where isUnwanted: (Element) -> Bool) {
    slots = slots[head...].filter { $0.map(isUnwanted) == false }
    head = 0
  }

  /// The largest capacity that an empty queue keeps.
  private static var keptCapacity: Int { 1_024 }
}

extension FIFOQueue: Sendable where Element: Sendable {}
