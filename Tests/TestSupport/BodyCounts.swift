/// How much of a queue, or of another limit, the bodies have that run and do not wait.
package final class BodyCounts<Key: Hashable & Sendable>: Sendable {
  private let counts = Locked<[Key: Int]>([:])

  package init() {}

  /// - Returns: How much it is with this body.
  package func begin(_ key: Key, cost: Int = 1) -> Int {
    counts.withLock { counts in
      counts[key, default: 0] += cost
      return counts[key, default: 0]
    }
  }

  /// To be called before the wait, or the end, of the body.
  package func end(_ key: Key, cost: Int = 1) { counts.withLock { $0[key, default: 0] -= cost } }

  package subscript(key: Key) -> Int { counts.withLock { $0[key, default: 0] } }
}
