public import Foundation

extension QualityOfService {
  /// The quality of service of work that a task of a priority does.
  ///
  /// A priority between two qualities becomes the lower one, and one below all of them `background`. 0, which stands
  /// for no priority, becomes `default`.
  public init(_ priority: TaskPriority) {
    self =
      switch priority.rawValue {
      case 0: .default
      case TaskPriority.userInteractive.rawValue...: .userInteractive
      case TaskPriority.high.rawValue...: .userInitiated
      case TaskPriority.medium.rawValue...: .default
      case TaskPriority.low.rawValue...: .utility
      default: .background
      }
  }
}
