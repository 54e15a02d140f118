public import Foundation
public import StructuredOperations

extension QueuePriority {
  /// The level with the number of one of Foundation's.
  public init(_ priority: Operation.QueuePriority) {
    self.init(clamping: priority.rawValue)
  }
}

extension Operation.QueuePriority {
  /// Foundation's level with the number of one of ours.
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
