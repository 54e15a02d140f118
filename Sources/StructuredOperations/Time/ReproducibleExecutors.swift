import Synchronization

/// The reproducible executors that run something at present.
///
/// A list, because a task knows its executor only as a value that can be compared. Task-local values would not do: the
/// tasks of a queue inherit none, but they prefer the queue's executor.
package enum ReproducibleExecutors {
  private struct Run: Sendable {
    let id: Int
    let executor: any ReproducibleExecutor
  }

  private struct State: Sendable {
    var runs: [Run] = []
    var lastID = 0
  }

  private static let state = Guarded(State())
  /// Zero outside of tests, so that looking for one costs next to nothing.
  private static let runCount = Atomic(0)

  /// The one that the calling task prefers; nil if there is none.
  ///
  /// Not to be asked under a lock: the runtime tells it behind the lock under which it calls the task's cancellation handlers. Example:
  /// a handler adds a dependency while its task does so, too.
  static var current: (any ReproducibleExecutor)? { currentRun?.executor }

  /// The number of its run, which no other one gets; not to be asked under a lock, either.
  static var currentRunID: Int? { currentRun?.id }

  private static var currentRun: Run? {
    if runCount.load(ordering: .relaxed) == 0 { return nil }
    guard let preferred = withUnsafeCurrentTask(body: { $0?.unownedTaskExecutor }) else { return nil }
    return state.withLock { state in state.runs.first { $0.executor.asUnownedTaskExecutor() == preferred } }
  }

  static func isRunning(_ id: Int) -> Bool { state.withLock { state in state.runs.contains { $0.id == id } } }

  /// Runs a closure, during which tasks find the executor.
  package static func withRunning<Result>(
    _ executor: some ReproducibleExecutor,
    _ body: () throws -> Result
  ) rethrows -> Result {
    let id = state.withLock { state in
      state.lastID += 1
      state.runs.append(Run(id: state.lastID, executor: executor))
      return state.lastID
    }
    runCount.add(1, ordering: .relaxed)
    defer {
      runCount.subtract(1, ordering: .relaxed)
      // Freed outside of the lock.
      _ = state.withLock { state in state.runs.firstIndex { $0.id == id }.map { state.runs.remove(at: $0) } }
    }
    return try body()
  }
}
