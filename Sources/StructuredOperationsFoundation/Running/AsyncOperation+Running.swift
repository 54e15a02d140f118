public import Foundation
public import StructuredOperations

extension AsyncOperation {
  /// Makes an operation that runs one of Foundation's, and reads its result when that has finished.
  ///
  /// ```swift
  /// let download = AsyncOperation(running: DownloadOperation(url)) { old in try old.result.get() }
  /// let resize = AsyncOperation(after: download) { data in try render(data) }
  /// await queue.add(download, resize)
  /// ```
  ///
  /// The old operation may be of either kind: one that overrides `main()`, or one that overrides `start()` and says by
  /// key-value notifications when it has finished. What has been set on it holds: its completion block runs, and old
  /// operations that depend on it go on when it has finished. It runs once its own dependencies have finished, in an
  /// `OperationQueue`; this operation executes meanwhile, and lends its slot while it waits for them.
  ///
  /// Cancelling this operation cancels the old one, also before either has begun. Where this one finishes without
  /// having run, the old one is cancelled and let through its queue, so that old operations that depend on it do not
  /// wait for ever. Where the old one was cancelled when it finishes, whoever did it, this one is cancelled, too, and
  /// the result is not read.
  ///
  /// The old operation must be nobody else's. Where it has been run, runs or is waiting in a queue when this operation
  /// begins, this one fails with `OperationError.alreadyFinished`, `.alreadyExecuting` or `.alreadyEnqueued`. On Apple's
  /// platforms it cannot be seen that an operation waits in a queue; there Foundation raises its own exception.
  ///
  /// - Parameters:
  ///   - old: The operation to run.
  ///   - queue: The old queue that runs it; nil is one that is made for it. One that is limited or suspended makes this
  ///     operation execute for longer.
  ///   - name: What the operation is called in messages; nil is what the old one is called.
  ///   - queuePriority: The place among the ready operations of a queue; nil is that of the old one.
  ///   - taskPriority: The priority of the task; nil is the old one's quality of service, unless that is the default.
  ///   - output: Reads the result of the old operation, or throws the error that it ended with.
  public init<Old: Operation>(
    running old: Old,
    in queue: OperationQueue? = nil,
    name: String? = nil,
    queuePriority: QueuePriority? = nil,
    taskPriority: TaskPriority? = nil,
    output: @escaping @Sendable (Old) throws -> Output
  ) {
    let run = OldOperationRun(of: old, in: queue)
    let quality = old.qualityOfService
    self.init(
      name: name ?? old.name,
      queuePriority: queuePriority ?? QueuePriority(old.queuePriority),
      taskPriority: taskPriority ?? (quality == .default ? nil : TaskPriority(quality)),
      start: {
        try await run.run()
        return try output(old)
      })
    run.follow(states)
  }
}

extension AsyncOperation where Output == Void {
  /// Makes an operation that runs one of Foundation's, whatever that comes to.
  ///
  /// Everything is as in ``init(running:in:name:queuePriority:taskPriority:output:)``. Foundation's operations do not
  /// tell an error, so this one succeeds unless it is cancelled.
  public init(
    running old: Operation,
    in queue: OperationQueue? = nil,
    name: String? = nil,
    queuePriority: QueuePriority? = nil,
    taskPriority: TaskPriority? = nil
  ) {
    self.init(
      running: old, in: queue, name: name, queuePriority: queuePriority, taskPriority: taskPriority, output: { _ in })
  }
}
