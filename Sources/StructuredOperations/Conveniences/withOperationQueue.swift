/// Makes a queue for the duration of a closure, and returns when the closure and all operations have ended.
///
/// ```swift
/// let pages = try await withOperationQueue(maxConcurrentOperationCount: 4) { queue in
///   for url in urls { await queue.add { try await index(url) } }
/// }
/// ```
///
/// The queue runs inside the calling task, as a child task of it: bodies inherit its priority and its task-local
/// values. At the end of the closure a suspended queue is resumed, and a limit of 0 becomes 1. Then everything in the
/// queue is awaited: the operations, those that they add, and completion blocks. After that the queue takes no more.
///
/// Where the closure throws, or the calling task is cancelled, all operations are cancelled, those added later too,
/// and then awaited. An operation that fails cancels nothing.
///
/// The own task of an operation's body lends its slot from the end of the closure on, as in
/// ``AsyncOperation/waitUntilFinished()``. Where what is left in the queue depends on that operation, so that the end
/// would never come, everything is cancelled.
///
/// - Parameters:
///   - name: What the queue is called; by default a name with a number.
///   - maxConcurrentOperationCount: How many operations may execute at a time: -1, the default, or from 0 on. Anything
///     below is a programming error.
///   - taskPriority: The least priority of the tasks that run operations.
///   - executor: Where everything of the queue runs.
///   - isSuspended: Whether the queue starts nothing until it is resumed.
///   - body: What uses the queue.
/// - Returns: What the closure returns.
/// - Throws: What the closure throws; `CancellationError` where the calling task was cancelled;
///   ``OperationError/waitWouldDeadlock``.
@discardableResult
public nonisolated(nonsending) func withOperationQueue<Output>(
  name: String? = nil,
  maxConcurrentOperationCount: Int = AsyncOperationQueue.defaultMaxConcurrentOperationCount,
  taskPriority: TaskPriority? = nil,
  executor: (any TaskExecutor)? = nil,
  isSuspended: Bool = false,
  _ body: (AsyncOperationQueue) async throws -> Output
) async throws -> Output {
  let queue = AsyncOperationQueue(
    name: name, limit: maxConcurrentOperationCount, taskPriority: taskPriority, executor: executor,
    isSuspended: isSuspended, isFixed: false, scope: .open)
  return try await withTaskCancellationHandler {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask(executorPreference: executor, priority: taskPriority) { await queue.runOperations() }
      let output: Output
      do {
        output = try await body(queue)
      } catch {
        try await queue.endScope(isCancelled: true, awaiting: &group)
        throw error
      }
      try await queue.endScope(isCancelled: false, awaiting: &group)
      try Task.checkCancellation()
      return output
    }
  } onCancel: {
    queue.cancelScope()
  }
}
