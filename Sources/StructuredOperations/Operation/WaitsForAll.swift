/// The bodies that wait for everything in a queue, by queue.
struct WaitsForAll: Sendable {
  private var waits: [ObjectIdentifier: [BodyWait]] = [:]

  var isEmpty: Bool { waits.isEmpty }

  /// Those for a queue, which may be over.
  func of(_ host: ObjectIdentifier) -> [BodyWait] { waits[host] ?? [] }

  /// All but those for a queue.
  func without(_ host: any OperationHost) -> WaitsForAll {
    var others = self
    others.waits[ObjectIdentifier(host)] = nil
    return others
  }

  mutating func insert(_ wait: BodyWait, of host: any OperationHost) {
    waits[ObjectIdentifier(host), default: []].append(wait)
  }

  mutating func remove(_ wait: BodyWait, of host: any OperationHost) {
    let key = ObjectIdentifier(host)
    waits[key]?.removeAll { $0 === wait }
    if waits[key]?.isEmpty == true { waits[key] = nil }
  }
}
