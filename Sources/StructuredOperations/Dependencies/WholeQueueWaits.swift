/// The bodies that wait for everything in a queue, by queue.
struct WholeQueueWaits: Sendable {
  private var waits: [ObjectIdentifier: [BodyWait]] = [:]

  var isEmpty: Bool { waits.isEmpty }

  /// Those for a queue; some may be over.
  subscript(queue: ObjectIdentifier) -> [BodyWait] { waits[queue] ?? [] }

  /// All but those for a queue.
  func without(_ queue: any OwningQueue) -> WholeQueueWaits {
    var others = self
    others.waits[ObjectIdentifier(queue)] = nil
    return others
  }

  /// Those for the ends of scopes.
  var ofScopes: WholeQueueWaits {
    var scopes = WholeQueueWaits()
    scopes.waits = waits.mapValues { $0.filter(\.isForScope) }.filter { !$0.value.isEmpty }
    return scopes
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
