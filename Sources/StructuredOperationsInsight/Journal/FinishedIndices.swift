/// The records of finished operations, the one that finished first at the front; O(1) amortised.
struct FinishedIndices: Sendable {
  private var elements: [Int] = []
  /// What lies ahead of it was taken out.
  private var first = 0

  mutating func append(_ index: Int) { elements.append(index) }

  mutating func popFirst() -> Int? {
    guard first < elements.count else { return nil }
    defer {
      first += 1
      if first > 32, first * 2 > elements.count {
        elements.removeSubrange(..<first)
        first = 0
      }
    }
    return elements[first]
  }
}
