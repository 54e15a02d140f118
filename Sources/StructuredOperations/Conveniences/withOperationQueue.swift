/// Calls a closure with a new queue, and returns when the closure and all operations have ended.
///
/// ```swift
/// try await withOperationQueue(maxConcurrentOperationCount: 4) {
///   queue in
///   for url in urls { await queue.add { try await index(url) } }
/// }
/// // All pages are in the index now.
/// ```
///
/// The closure runs in the calling task: on the actor that it is isolated to; a `@concurrent` one, or such a function, on none; any
/// other on the caller's actor.
///
/// The queue runs as a child task of the calling task, so bodies inherit its priority and task-local values. When the
/// closure returns, a suspended queue is resumed, whatever time it was given, and a maximum of 0 becomes 1. A start rate
/// stays as it is. Then the function suspends until all operations, those that they add, and all completion blocks have
/// ended. After that the queue accepts no operations.
///
/// If the closure throws or the calling task is cancelled, all operations, also those added later, are cancelled and
/// awaited. A failing operation does not cancel others, unless `onFailure` is ``OperationFailurePolicy/cancelAll``: then the
/// first one whose outcome is a failure has the same effect, and the function throws its error. Barriers and the closures of
/// `run` are such operations, too, and so are those that do not run because of a dependency that failed elsewhere; a
/// cancellation is no failure.
///
/// If the calling task runs the body of an operation, that body releases its slot while the function waits, as in
/// ``AsyncOperation/waitUntilFinished()``. If operations in the queue depend on that body, so that the wait could never
/// end, all of them are cancelled.
///
/// - Parameters:
///   - name: The name of the queue; by default one with a number.
///   - maxConcurrentOperationCount: The maximum number of operations that execute at the same time: at least 0, or -1
///     for the default. Smaller values are a programming error.
///   - taskPriority: The minimum priority of the tasks that run operations.
///   - executor: The executor of bodies, completion blocks and the queue's own tasks; nil is what the calling task prefers, or the
///     cooperative pool where that is none, or the main actor's of ``AsyncOperationQueue/main``. Synchronous bodies run on threads
///     of ``OperationThreadPool`` then.
///   - isSuspended: Whether the queue starts no operation until it is resumed.
///   - onFailure: What the failure of an operation means for the others.
///   - startRate: How many operations may begin within a stretch of time; nil is any number.
///   - clock: What tells the time for `startRate` and ``AsyncOperationQueue/suspend(for:)``. Without `executor` the task that sleeps
///     for these runs on the cooperative pool, or on the `SeededExecutor` that the calling task prefers.
///   - observer: Is told of all that happens to the operations of the queue.
///   - body: The closure.
/// - Returns: The result of the closure.
/// - Throws: The error of the closure; the error of the first operation that failed, if that cancels the others and the closure has
///   returned or thrown a `CancellationError`; `CancellationError` if the calling task was cancelled; in place of each of these
///   ``OperationError/waitWouldDeadlock``, if the scope would never have ended.
@discardableResult
public nonisolated(nonsending) func withOperationQueue<Output>(
  name: String? = nil,
  maxConcurrentOperationCount: Int = AsyncOperationQueue.defaultMaxConcurrentOperationCount,
  taskPriority: TaskPriority? = nil,
  executor: (any TaskExecutor)? = nil,
  isSuspended: Bool = false,
  onFailure: OperationFailurePolicy = .continue,
  startRate: OperationStartRate? = nil,
  clock: any Clock<Duration> = ContinuousClock(),
  observer: (any OperationObserver)? = nil,
  _ body: nonisolated(nonsending) (AsyncOperationQueue) async throws -> Output
) async throws -> Output {
  let queue = AsyncOperationQueue(
    name: name, limit: maxConcurrentOperationCount, taskPriority: taskPriority, executor: executor,
    isSuspended: isSuspended, isMain: false, scope: .open, onFailure: onFailure, startRate: startRate, clock: clock,
    observer: observer)
  return try await runScope(of: queue, on: #isolation, executor: executor, taskPriority: taskPriority, body)
}

/// Runs the closure of a scope, on `isolation`, also one that has no isolation of its own, and a child task for its queue.
private func runScope<Output>(
  of queue: AsyncOperationQueue,
  on isolation: isolated (any Actor)?,
  executor: (any TaskExecutor)?,
  taskPriority: TaskPriority?,
  _ body: nonisolated(nonsending) (AsyncOperationQueue) async throws -> Output
) async throws -> Output {
  try await withTaskCancellationHandler {
    try await withThrowingTaskGroup(of: Void.self) { group in
      // Captured, so that this closure runs there, too.
      _ = isolation
      if let executor = executor ?? OperationBody.childExecutor(isBlocking: false) {
        group.addTask(executorPreference: executor, priority: taskPriority) { await queue.runOperations() }
      } else {
        group.addTask(priority: taskPriority) { await queue.runOperations() }
      }
      let output: Output
      do {
        output = try await body(queue)
      } catch {
        try await queue.endScope(isCancelled: true, awaiting: &group)
        // What the body has met may be the cancellation that followed from the failure.
        if error is CancellationError, let failure = await queue.failure { throw failure }
        throw error
      }
      try await queue.endScope(isCancelled: false, awaiting: &group)
      if queue.cancelsOnFailure, let failure = await queue.failure { throw failure }
      try Task.checkCancellation()
      return output
    }
  } onCancel: {
    queue.cancelScope()
  }
}
