/// How early an operation runs among the ready operations of its queue.
///
/// The levels and their numbers are those of `Operation.QueuePriority`.
public enum QueuePriority: Int, CaseIterable, Hashable, Sendable, Comparable {
  case veryLow = -8
  case low = -4
  case normal = 0
  case high = 4
  case veryHigh = 8

  /// The level for any number: one that is no level moves towards normal, to the first level it meets (PR-02).
  ///
  /// - Parameter number: -10 becomes ``veryLow``, -5 ``low``, 3 ``normal``, 7 ``high``, and so on.
  public init(clamping number: Int) {
    self =
      switch number {
      case 8...: .veryHigh
      case 4...: .high
      case (-3)...: .normal
      case (-7)...: .low
      default: .veryLow
      }
  }

  /// Whether the first level runs later than the second.
  public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
