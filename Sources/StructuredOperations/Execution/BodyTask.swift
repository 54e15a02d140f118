/// The task that runs a body, for whoever cancels the operation from another thread.
///
/// Unchecked, because the standard library leaves it to the caller that the task lives when the handle is used. The
/// proof is ``BodyTaskLease``: it hands the handle out only between the beginning and the end of the body, and holds
/// the end back until whoever uses it is through. So a plain pointer will do, the one that `UnsafeCurrentTask` consists
/// of: that type itself has no fixed layout, which would make everything around it slow to copy. To compare two handles
/// neither task has to live.
struct BodyTask: Equatable, @unchecked Sendable {
  private let pointer: UnsafeRawPointer

  init(_ task: UnsafeCurrentTask) {
    pointer = unsafeBitCast(task, to: UnsafeRawPointer.self)
  }

  /// The task that calls this.
  static var current: BodyTask? { withUnsafeCurrentTask { $0.map(BodyTask.init) } }

  var isCancelled: Bool { task.isCancelled }

  func cancel() { task.cancel() }

  /// Raises the task's priority, where the platform can.
  func raise(to priority: UInt8) {
    guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else { return }
    task.escalatePriority(to: TaskPriority(rawValue: priority))
  }

  private var task: UnsafeCurrentTask { unsafeBitCast(pointer, to: UnsafeCurrentTask.self) }
}
