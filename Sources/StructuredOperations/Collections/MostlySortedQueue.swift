/// A priority queue whose first element is the smallest, for elements of which most come in order: those cost O(1), and the others
/// O(log n).
struct MostlySortedQueue<Element: Comparable> {
  /// Sorted.
  private var run = FIFOQueue<Element>()
  private var outOfOrder = BinaryHeap<Element>()

  var count: Int { run.count + outOfOrder.count }

  /// All elements, in no particular order.
  var unordered: [Element] { (0..<run.count).map { run[$0] } + outOfOrder.unordered }

  var first: Element? {
    guard let next = run.first else { return outOfOrder.first }
    if let late = outOfOrder.first, late < next { return late }
    return next
  }

  mutating func insert(_ element: Element) {
    if let last = run.last, element < last {
      outOfOrder.insert(element)
    } else {
      run.append(element)
    }
  }

  /// Puts an element back that was the first one; the first of several is put back last.
  mutating func putBack(_ element: Element) {
    if let first = run.first, first < element {
      insert(element)
    } else if !run.prepend(element) {
      outOfOrder.insert(element)
    }
  }

  mutating func popFirst() -> Element? {
    guard let next = run.first else { return outOfOrder.popFirst() }
    if let late = outOfOrder.first, late < next { return outOfOrder.popFirst() }
    return run.popFirst()
  }

  /// O(n).
  mutating func removeAll(where isUnwanted: (Element) -> Bool) {
    run.removeAll(where: isUnwanted)
    outOfOrder.removeAll(where: isUnwanted)
  }
}

extension MostlySortedQueue: Sendable where Element: Sendable {}
