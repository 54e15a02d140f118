public import Foundation
public import StructuredOperations

extension QueuePriority {
  /// The level with the same raw value as a Foundation level.
  public init(_ priority: Operation.QueuePriority) {
    self.init(clamping: priority.rawValue)
  }
}

extension Operation.QueuePriority {
  /// The Foundation level with the same raw value.
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
