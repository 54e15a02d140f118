/// What the waits of bodies for everything in a queue have waited for.
///
/// That is what the body had added to the queue, and the operation whose end left the queue empty. Of the others it cannot be told
/// which ones would have been there with other limits; and to take all for each wait would take the square of their number.
struct QueueWaits {
  private let entries: [OperationHistory.Entry]
  /// The queues that were waited for.
  private var queues: [Int: QueueTimes] = [:]
  /// By the operations whose bodies waited for queues, and these: what the bodies added to them, by the ends.
  private var additions: [Int: [Int: [Int]]] = [:]

  /// O(n log n) in the number of operations and spans.
  init(_ entries: [OperationHistory.Entry], _ indices: [Int: Int]) {
    self.entries = entries
    for (index, entry) in entries.enumerated() {
      for span in entry.spans {
        guard let queue = span.queueNumber else { continue }
        queues[queue] = QueueTimes()
        additions[index, default: [:]][queue] = []
      }
    }
    if queues.isEmpty { return }
    let byEnd = entries.indices
      .compactMap { index in entries[index].finishedAt.map { (index: index, end: $0) } }.sorted { $0.end < $1.end }
    for (index, _) in byEnd {
      guard let parent = entries[index].parent.flatMap({ indices[$0] }), parent != index else { continue }
      additions[parent]?[entries[index].queueNumber]?.append(index)
    }
    // What waits for its own queue is not waited for there. What takes no time may have come after a wait that ended then.
    let awaited = byEnd.filter { index, end in
      entries[index].addedAt < end && additions[index]?[entries[index].queueNumber] == nil
    }
    for (index, end) in awaited { queues[entries[index].queueNumber]?.addEnd(index, at: end) }
    for (index, end) in awaited.sorted(by: { entries[$0.index].addedAt < entries[$1.index].addedAt }) {
      queues[entries[index].queueNumber]?.add(index, from: entries[index].addedAt, to: end)
    }
  }

  /// The waits of a body, to be asked for one after the other.
  func ofBody(_ index: Int) -> OfBody {
    OfBody(additions: (additions[index] ?? [:]).mapValues { $0[...] }, waits: self)
  }

  struct OfBody {
    /// By queues: those that have finished after the waits before.
    fileprivate var additions: [Int: ArraySlice<Int>]
    fileprivate let waits: QueueWaits

    /// What a wait was for; empty where it was not for a queue, or the history has nothing of that.
    mutating func next(_ span: OperationHistory.Span) -> [Int] {
      guard let number = span.queueNumber, let queue = waits.queues[number] else { return [] }
      let entries = waits.entries
      let rest = additions[number] ?? []
      let finished = rest.prefix { entries[$0].finishedAt.map { $0 <= span.end } == true }
      additions[number] = rest[finished.endIndex...]
      // What is added at the very end of the wait may come after it.
      var operations = finished.filter { entries[$0].addedAt < span.end }
      if let last = queue.last(from: span.start, to: span.end), !operations.contains(last) { operations.append(last) }
      return operations
    }
  }
}

/// When a queue was not empty, as far as its operations have finished.
private struct QueueTimes {
  private struct Busy {
    let start: Duration
    var end: Duration
    /// The operation that finished last.
    var last: Int
  }

  /// In their order, without what they share.
  private var busy: [Busy] = []
  /// The operations by their ends.
  private var ends: [(operation: Int, time: Duration)] = []

  /// In the order of addition.
  mutating func add(_ operation: Int, from start: Duration, to end: Duration) {
    guard let present = busy.last, start < present.end else {
      busy.append(Busy(start: start, end: end, last: operation))
      return
    }
    if end >= present.end { (busy[busy.endIndex - 1].end, busy[busy.endIndex - 1].last) = (end, operation) }
  }

  /// In the order of the ends.
  mutating func addEnd(_ operation: Int, at time: Duration) { ends.append((operation, time)) }

  /// The operation whose end left the queue empty; the last that finished in that time where the queue did not become empty, since
  /// something is in it that depends on the body.
  func last(from start: Duration, to end: Duration) -> Int? {
    let next = busy.partitioningIndex { $0.end >= start }
    if next < busy.endIndex, busy[next].start <= start, busy[next].end <= end { return busy[next].last }
    let after = ends.partitioningIndex { $0.time > end }
    guard after > 0, ends[after - 1].time >= start else { return nil }
    return ends[after - 1].operation
  }
}

extension Array {
  /// The first index from which on a condition holds, which it does for all after one for which it does.
  fileprivate func partitioningIndex(where holds: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
