@testable import StructuredOperations

// The kinds of decisions, one by one: nil, and without effect, where the next decision is of another kind.
extension QueueScheduler {
  mutating func nextSkipped() -> (id: EntryID, work: Work)? {
    var copy = self
    guard case .skip(let id, let work) = copy.next() else { return nil }
    self = copy
    return (id, work)
  }

  mutating func startNext() -> (id: EntryID, work: Work)? {
    var copy = self
    guard case .start(let id, let work) = copy.next() else { return nil }
    self = copy
    return (id, work)
  }
}
