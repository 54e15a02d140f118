extension PrefetchedBatch {
  /// How many to choose ahead.
  ///
  /// Doubled when so many were chosen and all were used, or when they were too few, and halved when some were left. Where as many as may
  /// be were too few it stays, or begins at 1 again if none of them was used.
  struct Size: Sendable {
    private let largest: Int
    private(set) var value = 1
    /// How many were chosen last.
    private var count = 0

    init(largest: Int) { self.largest = largest }

    mutating func filled(_ count: Int) { self.count = count }

    /// The next turn has begun.
    ///
    /// Example: two urgent operations, for which there is a child task of their own, come before a backlog. They are a batch, and are
    /// used up. That does not say that more of the backlog are to be chosen ahead than before they came, which were put back for them.
    ///
    /// - Parameters:
    ///   - isEmpty: Whether all were used.
    ///   - hasMissed: Whether another one was asked for. Example: the first ones in line need a limit that stays taken, and those
    ///     behind them another one.
    ///   - isUsed: Whether any was used.
    mutating func takenBack(isEmpty: Bool, hasMissed: Bool = false, isUsed: Bool = false) {
      // A batch that was filled with nothing says nothing.
      guard count > 0, count >= value || hasMissed || !isEmpty else { return }
      if isEmpty || hasMissed && value < largest {
        value = min(value * 2, largest)
      } else if hasMissed {
        value = isUsed ? largest : 1
      } else {
        value = max(value / 2, 1)
      }
    }
  }
}
