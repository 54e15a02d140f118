public import Foundation
public import StructuredOperations

/// Operations that run Foundation operations.
extension AsyncOperation {
  /// Makes an operation that runs a Foundation operation and reads its result.
  ///
  /// ```swift
  /// let download = AsyncOperation(running: DownloadOperation(url)) {
  ///   old in try old.result.get()
  /// }
  /// let resize = AsyncOperation(after: download) { data in
  ///   try render(data)
  /// }
  /// await queue.add(download, resize)
  /// ```
  ///
  /// The Foundation operation `old` may override `main()`, or override `start()` and post key-value notifications when
  /// it has finished. Its completion block runs, and Foundation operations that depend on it become ready, as usual. It
  /// runs in an `OperationQueue` once its own dependencies have finished. This operation is executing during that time,
  /// but releases its slot while it waits for the dependencies.
  ///
  /// Cancelling this operation cancels `old`, at any time, by one call of its `cancel()`: before `cancel()` of this one returns where
  /// `old` executes, else perhaps a moment later. Where `old` itself is cancelled while it waits for its dependencies,
  /// Foundation tells nobody: this operation goes on once they have finished. If this operation finishes without running, `old` is
  /// cancelled and added to its queue, so that it finishes too and operations that depend on it do not wait for ever.
  /// Outside of Apple's platforms a cancelled `old` is kept until what it depends on has finished, since Foundation uses it then.
  /// Where this operation is dropped without having been in a queue, keep `old` until then yourself.
  /// If `old` has been cancelled when it finishes, this operation is cancelled as well, and the result is not read. A dependency that is
  /// removed from `old` while this operation waits for it is waited for all the same.
  ///
  /// Nothing else may run `old`. If it has finished, is executing or is in a queue when this operation begins, this one
  /// fails with `OperationError.alreadyFinished`, `.alreadyExecuting` or `.alreadyEnqueued`. On Apple's platforms it is
  /// not possible to detect that it is in a queue; there Foundation raises its own exception. To wait for an operation that
  /// stays in its own queue, run a `BlockOperation` that depends on it.
  ///
  /// While `old` waits for a slot of `queue`, this operation keeps its own slot, since Foundation does not tell when an
  /// operation begins. So two narrow queues that are bridged both ways can deadlock, which is not found, and an
  /// explanation only tells that this operation executes: where each slot of `queue` belongs to a
  /// ``FoundationOperation`` whose operation waits for a slot of this one's queue, and all slots of that belong to
  /// operations like this one. Leave `queue` out there. Or, where its limit has to count, add `old` to it yourself and
  /// run a `BlockOperation` that depends on `old`: this operation waits for dependencies without a slot.
  ///
  /// It keeps its slot, too, while `old` executes, with or without `queue`. So an `old` that waits meanwhile for operations of this
  /// one's queue, as a ``FoundationOperation`` does, may wait for ever if they find no slot there.
  ///
  /// In `old`, `OperationQueue.current` is the queue that runs it. Where that is a new one, what `old` adds to it has no limit, and
  /// neither this operation nor its queue waits for it: give `queue` where that matters.
  ///
  /// A `main()` that blocks does so on a thread of Foundation's. On Linux all tasks of the program share those: a few that block hold
  /// tasks up for as long, and 64 hold up all of them. Give the queue a small limit, or port first what blocks.
  ///
  /// - Parameters:
  ///   - old: The Foundation operation to run.
  ///   - queue: The Foundation queue that runs it; nil for a new queue. If this queue delays `old`, this operation
  ///     executes for longer, and has its slot meanwhile.
  ///   - name: The name of the operation; nil for that of `old`.
  ///   - queuePriority: The rank among the ready operations of a queue; nil for that of `old`.
  ///   - taskPriority: The priority of the task; nil for one that corresponds to the quality of service of `old`,
  ///     unless that is the default. `old` itself runs by its quality of service.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  ///   - output: Reads the result of `old`, or throws the error that it ended with.
  public init<Old: Operation>(
    running old: Old,
    in queue: OperationQueue? = nil,
    name: String? = nil,
    queuePriority: QueuePriority? = nil,
    taskPriority: TaskPriority? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    output: @escaping @Sendable (Old) throws -> Output
  ) {
    let run = OldOperationRun(of: old, in: queue)
    let quality = old.qualityOfService
    self.init(
      name: name ?? old.name,
      queuePriority: queuePriority ?? QueuePriority(old.queuePriority),
      taskPriority: taskPriority ?? (quality == .default ? nil : TaskPriority(quality)),
      file: file, line: line,
      start: {
        try await run.run()
        return try output(old)
      })
    run.follow(states)
  }
}

extension AsyncOperation where Output == Void {
  /// Makes an operation that runs a Foundation operation without a result.
  ///
  /// Otherwise the same as with a result. Since Foundation operations do not report errors, this one succeeds unless it
  /// is cancelled, also where `old` is a ``FoundationOperation`` that has failed.
  ///
  /// - Parameters:
  ///   - old: The Foundation operation to run.
  ///   - queue: The Foundation queue that runs it; nil for a new queue.
  ///   - name: The name of the operation; nil for that of `old`.
  ///   - queuePriority: The rank among the ready operations of a queue; nil for that of `old`.
  ///   - taskPriority: The priority of the task; nil for one that corresponds to the quality of service of `old`,
  ///     unless that is the default.
  ///   - file: Where the operation is made, for messages about it if it has no name.
  ///   - line: The line of the file.
  public init(
    running old: Operation,
    in queue: OperationQueue? = nil,
    name: String? = nil,
    queuePriority: QueuePriority? = nil,
    taskPriority: TaskPriority? = nil,
    file: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(
      running: old, in: queue, name: name, queuePriority: queuePriority, taskPriority: taskPriority, file: file,
      line: line, output: { _ in })
  }
}
