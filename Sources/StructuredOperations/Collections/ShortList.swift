/// An array that allocates no memory for its first element.
struct ShortList<Element> {
  private var head: Element?
  /// Empty if there is no head.
  private var tail: [Element] = []

  init() {}

  mutating func append(_ element: consuming Element) {
    if head == nil {
      head = element
      return
    }
    // A list that gets a second element usually gets more.
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
    tail.shrinkIfSparse()
    if let first = head, isUnwanted(first) { _ = remove(at: 0) }
  }

  /// Reads an element in place: to copy it would retain what it holds.
  @inline(__always)
  func read<Result>(at position: Int, _ body: (Element) -> Result) -> Result {
    if position > 0 { return body(tail[position - 1]) }
    guard let head else { preconditionFailure("position 0 in an empty list") }
    return body(head)
  }

  /// Changes an element in place: to copy it would retain what it holds.
  mutating func modify(at position: Int, _ body: (inout Element) -> Void) {
    if position > 0 { return body(&tail[position - 1]) }
    precondition(head != nil, "position 0 in an empty list")
    // Only a forced unwrapping gives access to an element in place.
    // swift-format-ignore: NeverForceUnwrap
    body(&head!)
  }

  /// Changes each element in place.
  mutating func modifyEach(_ body: (inout Element) -> Void) {
    if !isEmpty { modify(at: 0, body) }
    for position in tail.indices { body(&tail[position]) }
  }

  /// As that of `Sequence`, without a copy of the list for an iterator.
  func forEach(_ body: (Element) -> Void) {
    if let head { body(head) }
    for element in tail { body(element) }
  }

  /// Empties the list and returns its elements.
  mutating func removeEach() -> ShortList {
    var removed = ShortList()
    swap(&removed, &self)
    return removed
  }

  /// Whether the next ``append(_:)`` has to reallocate.
  var isAtCapacity: Bool { !tail.isEmpty && tail.count == tail.capacity }

  /// Reserves room for twice as many elements.
  mutating func doubleCapacity() { tail.reserveCapacity(2 * tail.count) }
}

extension ShortList: RandomAccessCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { head == nil ? 0 : tail.count + 1 }

  subscript(position: Int) -> Element {
    if position > 0 { return tail[position - 1] }
    guard let head else { preconditionFailure("position 0 in an empty list") }
    return head
  }
}

extension ShortList: Sendable where Element: Sendable {}
