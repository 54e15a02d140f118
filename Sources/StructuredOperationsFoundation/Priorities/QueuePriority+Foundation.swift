public import Foundation
public import StructuredOperations

/// The levels of Foundation.
extension QueuePriority {
  /// The level with the same raw value as a Foundation level.
  ///
  /// - Parameter priority: The level in Foundation.
  public init(_ priority: Operation.QueuePriority) {
    self.init(clamping: priority.rawValue)
  }
}

/// The levels of this package.
extension Operation.QueuePriority {
  /// The Foundation level with the same raw value.
  ///
  /// - Parameter priority: The level in this package.
  public init(_ priority: QueuePriority) {
    self =
      switch priority {
      case .veryLow: .veryLow
      case .low: .low
      case .normal: .normal
      case .high: .high
      case .veryHigh: .veryHigh
      }
  }
}
