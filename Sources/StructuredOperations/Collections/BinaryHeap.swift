/// A priority queue whose first element is the smallest.
package struct BinaryHeap<Element: Comparable> {
  /// No element is smaller than its parent, which for index `i` is at `(i - 1) / 2`.
  private var elements: [Element] = []

  package init() {}

  var first: Element? { elements.first }

  var count: Int { elements.count }

  /// All elements, in no particular order.
  var unordered: [Element] { elements }

  package mutating func insert(_ element: Element) {
    elements.append(element)
    siftUp(from: elements.count - 1)
  }

  package mutating func popFirst() -> Element? {
    guard let first = elements.first, let last = elements.popLast() else { return nil }
    if !elements.isEmpty {
      elements[0] = last
      siftDown(from: 0)
    }
    elements.shrinkIfSparse()
    return first
  }

  /// Keeps the memory.
  mutating func removeAll() { elements.removeAll(keepingCapacity: true) }

  /// O(n).
  mutating func removeAll(where isUnwanted: (Element) -> Bool) {
    elements.removeAll(where: isUnwanted)
    elements.shrinkIfSparse()
    for index in (0..<elements.count / 2).reversed() { siftDown(from: index) }
  }

  private mutating func siftUp(from start: Int) {
    var index = start
    while index > 0 {
      let parent = (index - 1) / 2
      if elements[parent] < elements[index] { return }
      elements.swapAt(parent, index)
      index = parent
    }
  }

  private mutating func siftDown(from start: Int) {
    var index = start
    while true {
      let left = 2 * index + 1
      guard left < elements.count else { return }
      let right = left + 1
      let child = right < elements.count && elements[right] < elements[left] ? right : left
      if elements[index] < elements[child] { return }
      elements.swapAt(index, child)
      index = child
    }
  }
}

extension BinaryHeap: Sendable where Element: Sendable {}
