/// The entries of a queue that stand in line for their concurrency limits, found without hashing.
struct EntriesInLine: Sendable {
  typealias EntryID = Int

  /// What stands in line, without gaps.
  private var places: [(entry: EntryID, inLine: OperationStateMachine.InLine)] = []
  /// Where in `places` each entry is; -1 for one that is in no line.
  private var indices: [Int32] = []
  /// How many have left since the indices were looked through.
  private var removalCount = 0

  var isEmpty: Bool { places.isEmpty }

  /// What stands in line for an entry.
  subscript(id: EntryID) -> OperationStateMachine.InLine? { index(of: id).map { places[$0].inLine } }

  /// Whether a demand stands in line for an entry.
  func stands(_ demand: LimitTable.DemandID, for id: EntryID) -> Bool {
    index(of: id).map { places[$0].inLine.demand == demand } ?? false
  }

  mutating func insert(_ id: EntryID, _ new: OperationStateMachine.InLine) {
    if let index = index(of: id) {
      places[index].inLine = new
      return
    }
    if id >= indices.count { indices += repeatElement(-1, count: id + 1 - indices.count) }
    indices[id] = Int32(places.count)
    places.append((id, new))
  }

  /// The entry has its limits, or leaves the line.
  ///
  /// - Returns: What stood in line.
  @discardableResult
  mutating func remove(_ id: EntryID) -> OperationStateMachine.InLine? {
    guard let index = index(of: id), let last = places.popLast() else { return nil }
    indices[id] = -1
    removalCount += 1
    var removed = last
    if index < places.endIndex {
      swap(&removed, &places[index])
      indices[last.entry] = Int32(index)
    }
    places.shrinkIfSparse()
    if indices.count > Self.keptCount, removalCount >= indices.count { cut() }
    return removed.inLine
  }

  /// Gives back the memory that many entries needed, where few are in line.
  ///
  /// Not with each removal, since it looks at all indices, and to have them again costs as much.
  private mutating func cut() {
    removalCount = 0
    let last = indices.lastIndex { $0 >= 0 } ?? -1
    if last < indices.count / 2 { indices = Array(indices[...last]) }
  }

  private func index(of id: EntryID) -> Int? {
    guard id < indices.count, indices[id] >= 0 else { return nil }
    return Int(indices[id])
  }

  /// So many indices are never looked through.
  private static var keptCount: Int { 1_024 }
}
