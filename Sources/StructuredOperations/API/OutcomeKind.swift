/// How an operation ended, without what it produced.
enum OutcomeKind: Sendable { case succeeded, failed, cancelled }

/// How many operations have ended, by how.
struct OutcomeCounts: Hashable, Sendable {
  private(set) var succeeded = 0
  private(set) var failed = 0
  private(set) var cancelled = 0

  var total: Int { succeeded + failed + cancelled }

  mutating func count(_ kind: OutcomeKind) {
    switch kind {
    case .succeeded: succeeded += 1
    case .failed: failed += 1
    case .cancelled: cancelled += 1
    }
  }
}
