public import Foundation
public import StructuredOperations

/// A Foundation operation that runs an ``StructuredOperations/AsyncOperation``, for use in Foundation's queues and as a dependency there.
///
/// ```swift
/// let download = AsyncOperation { try await fetch(url) }
/// let old = FoundationOperation(download)
/// // A Foundation operation that depends on an `AsyncOperation`.
/// report.addDependency(old)
/// oldQueue.addOperation(old)
/// oldQueue.addOperation(report)
/// ```
///
/// It is an asynchronous operation: it executes, and occupies a slot of its queue, until the wrapped operation has
/// finished, and posts the notifications that Foundation requires. It is ready when its own dependencies have finished
/// and the wrapped operation is ready. Cancelling either operation cancels the other. See ``outcome`` and ``error`` for
/// the result. The completion blocks of both operations run.
///
/// If something else runs the wrapped operation, for example an `AsyncOperationQueue`, this one finishes when that has
/// finished. So Foundation operations can depend on `AsyncOperation`s in any queue. Add the wrapped operation there before this one
/// is added to an old queue: whichever comes first runs it. In any case this one has to be added to an old queue, or be started, as
/// every Foundation operation: otherwise it never finishes.
///
/// If `start()` is called before the wrapped operation is ready, that is waited for. What this operation itself depends on is the
/// matter of its queue, or of whoever calls `start()` by hand, as for every Foundation operation. A second call while it executes
/// stops the program, likewise.
///
/// Outside of Apple's platforms one that was cancelled is kept until what it depends on has finished, since Foundation uses it then.
/// Keep one yourself, as every Foundation operation there, that never runs, or is cancelled behind a barrier of an old queue.
public final class FoundationOperation<Output: Sendable>: Operation, @unchecked Sendable {
  // Unchecked, because the superclass is, and every subclass has to repeat it. Mutable state is protected by locks,
  // apart from `follower`, which is set once in the initialiser.

  /// The wrapped operation.
  public let operation: AsyncOperation<Output>

  private let progress = BridgeProgress()
  private let readiness = ReadinessNotice()
  /// Holds weak references only.
  private var follower: Follower?

  /// Wraps an operation.
  ///
  /// Copies its name and queue priority, as they are now, and not its task priority.
  ///
  /// - Parameter operation: What is run.
  public init(_ operation: AsyncOperation<Output>) {
    self.operation = operation
    super.init()
    name = operation.name
    queuePriority = Operation.QueuePriority(operation.queuePriority)
    follower = Follower(operation.states) { [weak self] in self?.follow($0) }
  }

  // MARK: Result

  /// How the wrapped operation ended; nil until this one has finished.
  ///
  /// `try old.outcome?.get()` is its output.
  public var outcome: OperationOutcome<Output>? { isFinished ? operation.outcome : nil }

  /// The error of the wrapped operation: `CancellationError` if it was cancelled; nil if it succeeded or this operation
  /// has not finished.
  public var error: (any Error)? {
    switch outcome {
    case .failure(let error): error
    case .cancelled: CancellationError()
    case .success, nil: nil
    }
  }

  // MARK: Overrides

  /// True: the operation continues after `start()` has returned.
  public override var isAsynchronous: Bool { true }

  /// Whether the operation has been started and is running.
  public override var isExecuting: Bool { progress.isExecuting }

  /// Whether the wrapped operation has finished, after this has been notified.
  public override var isFinished: Bool { progress.isFinished }

  /// Whether either of the two operations has been cancelled.
  public override var isCancelled: Bool { super.isCancelled || operation.isCancelled }

  /// Whether neither of the two operations is waiting for a dependency.
  public override var isReady: Bool {
    guard super.isReady, operation.isReady else { return false }
    if !progress.hasBegun { readiness.wasRead(of: self) }
    return true
  }

  /// Cancels both operations.
  public override func cancel() {
    // The wrapped one first: that makes it ready, and `super.cancel()` reads `isReady`.
    operation.cancel()
    super.cancel()
  }

  /// Starts the wrapped operation and returns without waiting for it; called by queues.
  public override func start() {
    willChangeValue(forKey: "isExecuting")
    let answer = progress.begin(isCancelled: isCancelled)
    didChangeValue(forKey: "isExecuting")
    switch answer {
    // Unstructured, because `start()` is synchronous; detached, so that nothing is inherited from the calling task.
    case .run: Task.detached(priority: priority) { await self.run() }
    case .alreadyExecuting: fatalError("start() of a FoundationOperation that is executing already: \(operation)")
    case .alreadyFinished: break
    }
  }

  // MARK: Helpers

  private var priority: TaskPriority? { qualityOfService == .default ? nil : TaskPriority(qualityOfService) }

  /// Runs the wrapped operation, or waits for it if something else runs it.
  private func run() async {
    while true {
      do {
        try await operation.start()
        break
      } catch OperationError.notReady {
        // A dependency was added after Foundation had read `isReady`.
        for await snapshot in operation.states where snapshot.isReady { break }
      } catch {
        break
      }
    }
    await operation.waitUntilFinished()
    willChangeValue(forKey: "isExecuting")
    willChangeValue(forKey: "isFinished")
    progress.finish()
    didChangeValue(forKey: "isExecuting")
    didChangeValue(forKey: "isFinished")
    OldOperationRun.keepWhileAwaiting(self)
  }

  /// Handles a change of the wrapped operation.
  private func follow(_ snapshot: OperationSnapshot) {
    if snapshot.isFinished { return }
    if snapshot.isCancelled, !super.isCancelled { super.cancel() }
    if progress.hasBegun { return }
    willChangeValue(forKey: "isReady")
    didChangeValue(forKey: "isReady")
  }
}
