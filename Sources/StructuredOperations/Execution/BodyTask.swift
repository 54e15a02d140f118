/// The task that runs a body, for whoever cancels the operation from another thread.
///
/// Unchecked, because the standard library leaves it to the caller that the task lives when the handle is used. The
/// proof is ``BodyTaskLease``: it hands the handle out only between the beginning and the end of the body, and holds
/// the end back until the canceller is through.
struct BodyTask: @unchecked Sendable {
  private let task: UnsafeCurrentTask

  init(_ task: UnsafeCurrentTask) {
    self.task = task
  }

  func cancel() { task.cancel() }
}
