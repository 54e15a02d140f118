public import Foundation

/// The qualities of service of Foundation.
extension TaskPriority {
  /// The task priority that corresponds to a quality of service.
  ///
  /// `default` becomes `medium`; `userInteractive` becomes a level above `high` that has no public name.
  /// `QualityOfService.init(_:)` is the inverse.
  ///
  /// - Parameter qualityOfService: Foundation's quality of service.
  public init(_ qualityOfService: QualityOfService) {
    switch qualityOfService {
    case .userInteractive: self = .userInteractive
    case .userInitiated: self = .high
    case .default: self = .medium
    case .utility: self = .low
    case .background: self = .background
    #if canImport(Darwin)
      @unknown default: self = .medium
    #endif
    }
  }

  /// The priority of the main thread.
  static var userInteractive: TaskPriority { TaskPriority(rawValue: 0x21) }
}
