import StructuredOperations

/// Reads the states of an operation or a queue until they end, or until nobody holds the follower any more.
///
/// It keeps neither the operation nor the queue.
final class Follower: Sendable {
  private let task: Task<Void, Never>

  /// - Parameter follow: Called with each snapshot, in order.
  init<Snapshot: Sendable>(_ states: StateSequence<Snapshot>, _ follow: @escaping @Sendable (Snapshot) -> Void) {
    // Detached: a task of the caller's would keep its task-local values, and with them perhaps an operation.
    task = Task.detached {
      for await snapshot in states { follow(snapshot) }
    }
  }

  deinit { task.cancel() }
}
