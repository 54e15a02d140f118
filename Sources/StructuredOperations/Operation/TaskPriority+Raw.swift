// Storages and queues keep the raw value of a priority, 0 where there is none: `TaskPriority` is opaque, so each copy and each
// destruction is a call of the runtime.
extension TaskPriority {
  /// Consuming, so that nothing is copied.
  @inline(__always)
  static func raw(_ priority: consuming TaskPriority?) -> UInt8 {
    switch consume priority {
    case let priority?: priority.rawValue
    case nil: 0
    }
  }

  /// The priority of a raw value; nil for 0.
  static func unlessZero(_ rawValue: UInt8) -> TaskPriority? { rawValue == 0 ? nil : TaskPriority(rawValue: rawValue) }
}
