extension PrefetchedBatch {
  /// How many to choose ahead: doubled when all were used, or when they were too few, and halved otherwise.
  struct Size: Sendable {
    private(set) var value = 1
    /// Whether the last batch says something: not where it was filled with nothing.
    private var isTried = false

    static var largest: Int { 64 }

    mutating func filled(isEmpty: Bool) { isTried = !isEmpty }

    /// - Parameters:
    ///   - isEmpty: Whether all were used.
    ///   - hasMissed: Whether another one was asked for. Example: the first ones in line need a limit that stays taken, and those
    ///     behind them another one.
    ///   - isUsed: Whether any was used.
    mutating func takenBack(isEmpty: Bool, hasMissed: Bool = false, isUsed: Bool = false) {
      guard isTried else { return }
      if isEmpty || hasMissed && value < Self.largest {
        value = min(value * 2, Self.largest)
      } else if hasMissed {
        value = isUsed ? Self.largest : 1
      } else {
        value = max(value / 2, 1)
      }
    }
  }
}
