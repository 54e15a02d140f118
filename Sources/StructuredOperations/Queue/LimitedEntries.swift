/// The entries of a queue that stand in line for their concurrency limits, or have lent them.
struct LimitedEntries: Sendable {
  typealias EntryID = Int

  enum Entry: Sendable {
    case inLine(OperationStateMachine.InLine)
    case lent
  }

  private var entries: [EntryID: Entry] = [:]
  private var entriesInLine: [LimitTable.DemandID: EntryID] = [:]

  var isAnyInLine: Bool { !entriesInLine.isEmpty }

  subscript(id: EntryID) -> Entry? { entries.isEmpty ? nil : entries[id] }

  func entry(of demand: LimitTable.DemandID) -> EntryID? { entriesInLine[demand] }

  /// What stands in line for an entry.
  func inLine(_ id: EntryID) -> OperationStateMachine.InLine? {
    if case .inLine(let inLine) = self[id] { inLine } else { nil }
  }

  mutating func stand(_ id: EntryID, _ inLine: OperationStateMachine.InLine) {
    entries[id] = .inLine(inLine)
    entriesInLine[inLine.demand] = id
  }

  mutating func lend(_ id: EntryID) { entries[id] = .lent }

  /// The entry has its limits, or leaves the line.
  ///
  /// - Returns: What stood in line.
  @discardableResult
  mutating func remove(_ id: EntryID) -> OperationStateMachine.InLine? {
    guard !entries.isEmpty, case .inLine(let inLine) = entries.removeValue(forKey: id) else { return nil }
    entriesInLine[inLine.demand] = nil
    return inLine
  }
}
