/// The entries of a queue that have concurrency limits, stand in line for them, or have lent them.
struct LimitedEntries: Sendable {
  typealias EntryID = Int

  struct Entry: Sendable {
    /// Held, so that the limits live as long as something of them is in use.
    let needs: [LimitNeed]
    let rank: LimitTable.Rank
    /// Nil while the limits are lent.
    fileprivate(set) var demand: LimitTable.DemandID?
    fileprivate(set) var isInLine: Bool

    var demandInLine: LimitTable.DemandID? { isInLine ? demand : nil }
  }

  private var entries: [EntryID: Entry] = [:]
  private var entriesInLine: [LimitTable.DemandID: EntryID] = [:]

  var isAnyInLine: Bool { !entriesInLine.isEmpty }

  subscript(id: EntryID) -> Entry? { entries.isEmpty ? nil : entries[id] }

  func entry(of demand: LimitTable.DemandID) -> EntryID? { entriesInLine[demand] }

  mutating func add(_ id: EntryID, _ inLine: OperationStateMachine.InLine, isTaken: Bool) {
    entries[id] = Entry(needs: inLine.needs, rank: inLine.rank, demand: inLine.demand, isInLine: !isTaken)
    if !isTaken { entriesInLine[inLine.demand] = id }
  }

  /// A demand in line has its limits.
  mutating func taken(_ id: EntryID) {
    guard let demand = entries[id]?.demandInLine else { preconditionFailure("entry \(id) was not in line") }
    entriesInLine[demand] = nil
    entries[id]?.isInLine = false
  }

  /// - Returns: The demand that has the limits; nil where there are none.
  mutating func lend(_ id: EntryID) -> LimitTable.DemandID? {
    entries.isEmpty ? nil : entries[id]?.demand.take()
  }

  mutating func remove(_ id: EntryID) -> Entry? {
    guard !entries.isEmpty, let entry = entries.removeValue(forKey: id) else { return nil }
    if let demand = entry.demandInLine { entriesInLine[demand] = nil }
    return entry
  }
}
