/// The reproducible executors that run something at present.
///
/// A list, because a task knows its executor only as a value that can be compared. Task-local values would not do: the
/// tasks of a queue inherit none, but they prefer the queue's executor.
package enum ReproducibleExecutors {
  /// Empty outside of tests, so that looking for one costs next to nothing.
  private static let running = Guarded<[any ReproducibleExecutor]>([])

  /// The one that the calling task prefers; nil if there is none.
  static var current: (any ReproducibleExecutor)? {
    let candidates = running.withLock { $0 }
    if candidates.isEmpty { return nil }
    guard let preferred = withUnsafeCurrentTask(body: { $0?.unownedTaskExecutor }) else { return nil }
    return candidates.first { $0.asUnownedTaskExecutor() == preferred }
  }

  /// Runs a closure, during which tasks find the executor.
  package static func withRunning<Result>(
    _ executor: some ReproducibleExecutor,
    _ body: () throws -> Result
  ) rethrows -> Result {
    running.withLock { $0.append(executor) }
    defer {
      // Freed outside of the lock.
      _ = running.withLock { list in
        list.firstIndex { $0 === executor }.map { list.remove(at: $0) }
      }
    }
    return try body()
  }
}
