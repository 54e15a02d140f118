/// The entries of a queue that stand in line for their concurrency limits.
struct EntriesInLine: Sendable {
  typealias EntryID = Int

  private var inLine: [EntryID: OperationStateMachine.InLine] = [:]
  private var entries: [LimitTable.DemandID: EntryID] = [:]

  var isEmpty: Bool { inLine.isEmpty }

  /// What stands in line for an entry.
  subscript(id: EntryID) -> OperationStateMachine.InLine? { inLine.isEmpty ? nil : inLine[id] }

  func entry(of demand: LimitTable.DemandID) -> EntryID? { entries[demand] }

  mutating func insert(_ id: EntryID, _ new: OperationStateMachine.InLine) {
    inLine[id] = new
    entries[new.demand] = id
  }

  /// The entry has its limits, or leaves the line.
  ///
  /// - Returns: What stood in line.
  @discardableResult
  mutating func remove(_ id: EntryID) -> OperationStateMachine.InLine? {
    guard !inLine.isEmpty, let old = inLine.removeValue(forKey: id) else { return nil }
    entries[old.demand] = nil
    return old
  }
}
