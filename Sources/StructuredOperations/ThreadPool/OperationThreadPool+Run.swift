extension OperationThreadPool {
  /// Runs a closure that blocks on a thread of the pool, and returns what it produces.
  ///
  /// It is for one blocking stretch of asynchronous code, which must not block the threads that it shares with others:
  ///
  /// ```swift
  /// let text = try await OperationThreadPool.shared.run {
  ///   try readWholeFile(path)
  /// }
  /// ```
  ///
  /// The closure belongs to the calling task: task-local values, priority and cancellation are the task's, and
  /// ``AsyncOperation/current`` and ``AsyncOperationQueue/current`` are as outside. In a body of an operation it counts as
  /// part of the body, which keeps its slot.
  ///
  /// Suspends until the closure has returned; the caller's actor is free meanwhile. Cancelling the task neither keeps the
  /// closure from running nor ends it early: `Task.isCancelled` tells it. Under an executor of
  /// `StructuredOperationsTesting`, too, the closure runs on a thread of the pool, so such a program need not repeat. Where nothing else
  /// is left to do meanwhile, `SeededExecutor.run(_:)` ends as stalled.
  ///
  /// - Parameter body: What is to run. It may block its thread for as long as it likes, up to 4 096 threads at a time.
  /// - Throws: What the closure throws.
  public nonisolated(nonsending) func run<Output: Sendable>(
    _ body: @Sendable () throws -> Output
  ) async throws -> Output {
    try await withTaskExecutorPreference(self) { try await Self.stretch(body) }
  }

  /// Takes the calling task to the executor that it prefers, and blocks there.
  @concurrent
  private static func stretch<Output: Sendable>(_ body: @Sendable () throws -> Output) async throws -> Output {
    try blocking(body)
  }
}
