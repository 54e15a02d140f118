/// What the reference model knows about the start rate of one queue.
struct RateModel {
  private(set) var rate: Program.Rate?
  /// Whether a change is under way.
  private var isChanging = false
  /// When it was changed last, on the clock; nil if it never was.
  private var changedAt: Duration?
  /// When something began that the rate certainly counts.
  private var starts: [Duration] = []
  /// When something may have begun that no event shows.
  private var possibleStarts: [Duration] = []

  init(rate: Program.Rate?) { self.rate = rate }

  mutating func change() { isChanging = true }

  mutating func changed(to rate: Program.Rate?, at time: Duration) {
    isChanging = false
    self.rate = rate
    changedAt = time
  }

  /// Something begins.
  ///
  /// What begins at the moment of a change may have been chosen before it, or after it.
  ///
  /// - Returns: Whether more begin than may.
  mutating func began(at time: Duration) -> Bool {
    guard let rate, !isChanging, changedAt != time else { return false }
    starts.append(time)
    return starts.count { $0 > time - rate.duration } > rate.count
  }

  mutating func mayHaveBegun(at time: Duration) { possibleStarts.append(time) }

  /// Whether the rate certainly lets nothing begin.
  func isFull(at time: Duration) -> Bool { isFull(starts, at: time) }

  /// Whether the rate may let nothing begin.
  ///
  /// After a change it may take starts to have been later than they were.
  func mayBeFull(at time: Duration) -> Bool {
    rate != nil && (changedAt != nil || isFull(starts + possibleStarts, at: time))
  }

  private func isFull(_ starts: [Duration], at time: Duration) -> Bool {
    guard let rate else { return false }
    return starts.count { $0 > time - rate.duration } >= rate.count
  }
}
