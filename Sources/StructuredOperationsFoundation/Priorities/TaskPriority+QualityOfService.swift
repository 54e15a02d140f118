public import Foundation

extension TaskPriority {
  /// The priority of a task that does work of a quality of service.
  ///
  /// `default`, which is the absence of information, becomes `medium`; `userInteractive` becomes the level above `high`
  /// that has no name. Each quality comes back from `QualityOfService.init(_:)`.
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

  /// What the main thread runs at.
  static var userInteractive: TaskPriority { TaskPriority(rawValue: 0x21) }
}
