import TestSupport

/// Records what ran, in which order, and how many at the same time.
final class Recorder<ID: Hashable & Sendable>: Sendable {
  private struct History: Sendable {
    var begun: [ID] = []
    var ended: [ID] = []
    var running: Set<ID> = []
    var peak = 0
  }

  private let history = Locked(History())

  /// The identifiers that began, in order.
  var begun: [ID] { history.withLock { $0.begun } }
  /// The identifiers that ended, in order.
  var ended: [ID] { history.withLock { $0.ended } }
  /// The identifiers that have begun and not ended.
  var running: Set<ID> { history.withLock { $0.running } }
  /// The most that ran at the same time.
  var peak: Int { history.withLock { $0.peak } }

  func begin(_ id: ID) {
    history.withLock { history in
      history.begun.append(id)
      history.running.insert(id)
      history.peak = max(history.peak, history.running.count)
    }
  }

  func end(_ id: ID) {
    history.withLock { history in
      history.ended.append(id)
      history.running.remove(id)
    }
  }

  /// Records something that begins and ends at once.
  func note(_ id: ID) {
    begin(id)
    end(id)
  }
}
