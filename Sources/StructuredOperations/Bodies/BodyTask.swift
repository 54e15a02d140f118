/// A handle of the task that runs a body, or the closure of a time-out, with which other threads cancel it or raise its priority.
///
/// Unchecked, because the handle is valid only while the task lives, which the compiler cannot check. `BodyTaskLease`
/// ensures it: it gives the handle out only while the body runs, and the body's end waits until all users are done. Only
/// `TimeoutTask` uses one without: that of the caller of a time-out, which waits for the closure meanwhile.
/// Comparing handles is always safe.
///
/// Stored as the pointer that `UnsafeCurrentTask` consists of, because that type has no fixed layout: every type that
/// contains it would be copied with the help of run-time metadata. The null pointer is no task.
struct BodyTask: Hashable, @unchecked Sendable {
  private let pointer: UnsafeRawPointer

  private init(pointer: UnsafeRawPointer) { self.pointer = pointer }

  /// The calling task.
  static var current: BodyTask? {
    withUnsafeCurrentTask { unsafeBitCast($0, to: UnsafeRawPointer?.self) }.map(BodyTask.init(pointer:))
  }

  var isCancelled: Bool { task.isCancelled }

  func cancel() { task.cancel() }

  /// Raises the task's priority if the platform supports it.
  func escalate(to priority: UInt8) {
    guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else { return }
    task.escalatePriority(to: TaskPriority(rawValue: priority))
  }

  private var task: UnsafeCurrentTask { unsafeBitCast(pointer, to: UnsafeCurrentTask.self) }
}
