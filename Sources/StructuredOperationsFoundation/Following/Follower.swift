import StructuredOperations

/// Calls a closure with each snapshot of an operation or a queue until it is released or the sequence ends.
///
/// Does not keep the operation or queue alive.
final class Follower: Sendable {
  private let task: Task<Void, Never>

  init<Snapshot: Sendable>(_ states: StateSequence<Snapshot>, _ follow: @escaping @Sendable (Snapshot) -> Void) {
    // Detached, so that the task does not keep the caller's task-local values alive, which may include an operation.
    task = Task.detached {
      for await snapshot in states { follow(snapshot) }
    }
  }

  deinit { task.cancel() }
}
