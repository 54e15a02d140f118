/// The bodies that wait for everything in a queue, by queue.
struct WholeQueueWaits: Sendable {
  private var waits: [ObjectIdentifier: [BodyWait]] = [:]

  var isEmpty: Bool { waits.isEmpty }

  /// Those for a queue; some may be over.
  subscript(queue: ObjectIdentifier) -> [BodyWait] { waits[queue] ?? [] }

  /// The queues that are waited for.
  var queues: [any OwningQueue] {
    waits.values.compactMap { waits in
      switch waits.first?.subject {
      case .all(let queue), .scope(let queue): queue
      case .operations, .closure, nil: nil
      }
    }
  }

  /// Whether the end of some scope is waited for, that of a queue apart.
  func hasScope(otherThan queue: any OwningQueue) -> Bool {
    waits.contains { $0.key != ObjectIdentifier(queue) && $0.value.contains(where: \.isForScope) }
  }

  mutating func insert(_ wait: BodyWait, for queue: any OwningQueue) {
    waits[ObjectIdentifier(queue), default: []].append(wait)
  }

  mutating func remove(_ wait: BodyWait, for queue: any OwningQueue) {
    let key = ObjectIdentifier(queue)
    waits[key]?.removeAll { $0 === wait }
    if waits[key]?.isEmpty == true { waits[key] = nil }
  }
}
