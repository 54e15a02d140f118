/// A priority queue whose first element is the smallest.
///
/// `BinaryHeap` is the same in the core, whose generic code is not specialized here: with it a replay takes five times as long.
struct MinHeap<Element: Comparable> {
  /// No element is smaller than its parent, which for index `i` is at `(i - 1) / 2`.
  private var elements: [Element] = []

  var first: Element? { elements.first }

  mutating func insert(_ element: Element) {
    elements.append(element)
    var index = elements.count - 1
    while index > 0 {
      let parent = (index - 1) / 2
      if elements[parent] < elements[index] { return }
      elements.swapAt(parent, index)
      index = parent
    }
  }

  mutating func popFirst() -> Element? {
    guard let first = elements.first, let last = elements.popLast() else { return nil }
    if !elements.isEmpty {
      elements[0] = last
      siftDown()
    }
    return first
  }

  private mutating func siftDown() {
    var index = 0
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

extension MinHeap: Sendable where Element: Sendable {}
