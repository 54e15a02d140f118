/// A binary heap of ready items: the lowest rank first.
struct RankHeap: Sendable {
  typealias Item = ReadyQueue.Item

  /// No item ranks below the one at half its index.
  private var items: [Item] = []

  var first: Item? { items.first }

  mutating func insert(_ item: Item) {
    items.append(item)
    siftUp(from: items.count - 1)
  }

  mutating func popFirst() -> Item? {
    guard let first = items.first, let last = items.popLast() else { return nil }
    if !items.isEmpty {
      items[0] = last
      siftDown(from: 0)
    }
    return first
  }

  /// O(n).
  mutating func removeAll(where isUnwanted: (Item) -> Bool) {
    items.removeAll(where: isUnwanted)
    // A sorted array is a heap.
    items.sort { $0.rank < $1.rank }
  }

  private mutating func siftUp(from start: Int) {
    var index = start
    while index > 0 {
      let parent = (index - 1) / 2
      if items[parent].rank < items[index].rank { return }
      items.swapAt(parent, index)
      index = parent
    }
  }

  private mutating func siftDown(from start: Int) {
    var index = start
    while true {
      let left = 2 * index + 1
      guard left < items.count else { return }
      let right = left + 1
      let child = right < items.count && items[right].rank < items[left].rank ? right : left
      if items[index].rank < items[child].rank { return }
      items.swapAt(index, child)
      index = child
    }
  }
}
