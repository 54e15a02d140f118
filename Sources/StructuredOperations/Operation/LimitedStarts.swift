/// The owner of the demands of all operations that were started by hand.
///
/// They need nothing besides their limits, so it is always open.
final class LimitedStarts: LimitOwner {
  static let shared = LimitedStarts()

  /// Those that stand in line.
  ///
  /// The table's lock may be taken under this one.
  private let waiting = Guarded<[LimitTable.DemandID: LimitedStart]>([:])

  func takeOrStand(
    _ needs: [LimitNeed],
    as rank: LimitTable.Rank,
    for start: LimitedStart
  ) -> (demand: LimitTable.DemandID, isTaken: Bool, notices: LimitTable.Notices) {
    waiting.withLock { waiting in
      let result = LimitTable.takeOrStand(needs, as: rank, of: self, opening: .all, isTold: true)
      if !result.isTaken { waiting[result.demand] = start }
      return result
    }
  }

  /// A demand leaves the lines, unless it has taken its limits.
  ///
  /// - Returns: Whether it has left.
  func leave(_ demand: LimitTable.DemandID) -> Bool {
    let (start, notices) = waiting.withLock { waiting in
      let (hasLeft, notices) = LimitTable.leave(demand)
      return (hasLeft ? waiting.removeValue(forKey: demand) : nil, notices)
    }
    notices.tell()
    return start != nil
  }

  /// Takes for all that can take, one after the other: the notices of one may be for the next.
  func limitsChanged() {
    while let (demand, notices) = LimitTable.takeNext(of: self) {
      let start = waiting.withLock { $0.removeValue(forKey: demand) }
      notices.tell()
      start?.taken()
    }
  }
}
