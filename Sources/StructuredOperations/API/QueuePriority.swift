/// The level of an operation among the ready operations of its queue.
///
/// The levels and their raw values are those of Foundation's `Operation.QueuePriority`.
public enum QueuePriority: Int, CaseIterable, Hashable, Sendable, Comparable {
  /// After all others.
  case veryLow = -8
  /// After those of the default level.
  case low = -4
  /// The default.
  case normal = 0
  /// Before those of the default level.
  case high = 4
  /// Before all others.
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
  ///
  /// - Parameters:
  ///   - one: A level.
  ///   - other: Another one.
  public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
