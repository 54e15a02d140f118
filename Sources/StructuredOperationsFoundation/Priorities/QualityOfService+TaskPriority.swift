public import Foundation

/// The priorities of tasks.
extension QualityOfService {
  /// The quality of service that corresponds to a task priority.
  ///
  /// A priority between two levels becomes the lower one, and one below all levels `background`. 0, which stands for an
  /// unspecified priority, becomes `default`.
  ///
  /// - Parameter priority: The priority of a task.
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
