/// The rank of an operation among the ready operations of its queue.
///
/// The levels and their raw values are those of Foundation's `Operation.QueuePriority`.
public enum QueuePriority: Int, CaseIterable, Hashable, Sendable, Comparable {
  case veryLow = -8
  case low = -4
  case normal = 0
  case high = 4
  case veryHigh = 8

  /// The level for any number, rounded towards ``normal``, as in Foundation.
  ///
  /// - Parameter number: For example, -10 becomes ``veryLow``, -5 ``low``, 3 ``normal`` and 7 ``high``.
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

  /// Whether operations of the first level run later than those of the second.
  public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
