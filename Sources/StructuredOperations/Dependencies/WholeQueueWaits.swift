/// The bodies that wait for everything in a queue, by queue.
struct WholeQueueWaits: Sendable {
  private struct Waits {
    /// The place of the queue among those that are waited for.
    let number: Int
    var list: [BodyWait] = []
  }

  private var waits: [ObjectIdentifier: Waits] = [:]
  private var nextNumber = 0

  var isEmpty: Bool { waits.isEmpty }

  /// Those for a queue; some may be over.
  subscript(queue: ObjectIdentifier) -> [BodyWait] { waits[queue]?.list ?? [] }

  /// The queues that are waited for, in the order in which that began, so that programs under seeds repeat.
  ///
  /// O(n log n).
  var queues: [any OwningQueue] {
    waits.values.sorted { $0.number < $1.number }.compactMap { waits in
      switch waits.list.first?.subject {
      case .all(let queue), .scope(let queue): queue
      case .operations, .closure, nil: nil
      }
    }
  }

  /// Whether the end of some scope is waited for, that of a queue apart.
  func hasScope(otherThan queue: any OwningQueue) -> Bool {
    waits.contains { $0.key != ObjectIdentifier(queue) && $0.value.list.contains(where: \.isForScope) }
  }

  mutating func insert(_ wait: BodyWait, for queue: any OwningQueue) {
    let key = ObjectIdentifier(queue)
    if waits[key] == nil {
      waits[key] = Waits(number: nextNumber)
      nextNumber += 1
    }
    waits[key]?.list.append(wait)
  }

  mutating func remove(_ wait: BodyWait, for queue: any OwningQueue) {
    let key = ObjectIdentifier(queue)
    // Mostly the first one: they end in the order in which they began.
    if let index = waits[key]?.list.firstIndex(where: { $0 === wait }) { waits[key]?.list.remove(at: index) }
    if waits[key]?.list.isEmpty == true { waits[key] = nil }
  }
}
