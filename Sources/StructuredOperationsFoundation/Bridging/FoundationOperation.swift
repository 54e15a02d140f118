public import Foundation
public import StructuredOperations

/// An operation of Foundation's that runs one of ours, for queues and operations that are still Foundation's.
///
/// ```swift
/// let download = AsyncOperation { try await fetch(url) }
/// let old = FoundationOperation(download)
/// report.addDependency(old)                  // an old operation that waits for a new one
/// oldQueue.addOperations([old, report], waitUntilFinished: false)
/// ```
///
/// It is asynchronous: it executes, and takes a slot of its queue, from the start of our operation to its end, and says
/// so by the notifications that Foundation asks for. It is ready when its own dependencies have finished and ours is
/// ready; an operation of ours that waits for dependencies is not started. Cancelling either of them cancels the other.
/// What our operation came to is in ``outcome`` and ``error``; the completion blocks of both run.
///
/// Where somebody else runs our operation, a queue of ours for example, this one follows: it finishes when that has
/// finished. So old operations can depend on new ones wherever those run.
///
/// Started by hand before it is ready, it waits until it is. Started again while it executes, it ends the program, as
/// every operation of Foundation's does.
public final class FoundationOperation<Output: Sendable>: Operation, @unchecked Sendable {
  // Unchecked, because Foundation says so of its superclass, and every subclass has to say it again. The proof: what can
  // change is behind locks, but for what follows our operation, which is set before anybody else has the object.

  /// Our operation, which this one runs.
  public let operation: AsyncOperation<Output>

  private let progress = BridgeProgress()
  private let readiness = ReadinessNotice()
  /// Holds neither of the two.
  private var follower: Follower?

  /// Makes an operation that runs one of ours.
  ///
  /// It is called like ours and has its queue priority.
  public init(_ operation: AsyncOperation<Output>) {
    self.operation = operation
    super.init()
    name = operation.name
    queuePriority = Operation.QueuePriority(operation.queuePriority)
    follower = Follower(operation.states) { [weak self] in self?.follow($0) }
  }

  // MARK: What our operation came to

  /// How our operation ended; nil until this one has finished.
  public var outcome: OperationOutcome<Output>? { isFinished ? operation.outcome : nil }

  /// What our operation failed with; `CancellationError` where it was cancelled, nil where it succeeded or has not
  /// finished.
  public var error: (any Error)? {
    switch outcome {
    case .failure(let error): error
    case .cancelled: CancellationError()
    case .success, nil: nil
    }
  }

  // MARK: What Foundation asks

  /// True: our operation goes on when `start()` has returned.
  public override var isAsynchronous: Bool { true }

  /// Whether our operation runs.
  public override var isExecuting: Bool { progress.isExecuting }

  /// Whether our operation has finished, and Foundation has been told.
  public override var isFinished: Bool { progress.isFinished }

  /// Whether either of the two has been cancelled.
  public override var isCancelled: Bool { super.isCancelled || operation.isCancelled }

  /// Whether no dependency holds either of the two back.
  public override var isReady: Bool {
    guard super.isReady, operation.isReady else { return false }
    if !progress.hasBegun { readiness.noticed(by: self) }
    return true
  }

  /// Cancels both.
  public override func cancel() {
    // Ours first, since that makes it ready, which Foundation reads at once.
    operation.cancel()
    super.cancel()
  }

  /// Starts our operation and returns; a queue calls this.
  public override func start() {
    willChangeValue(forKey: "isExecuting")
    let answer = progress.begin(isCancelled: isCancelled)
    didChangeValue(forKey: "isExecuting")
    switch answer {
    // Unstructured, since an old queue does not wait in start(); detached, since whoever starts it has no part in it.
    case .run: Task.detached(priority: priority) { await self.run() }
    case .alreadyExecuting: preconditionFailure("\(self): the receiver is already executing")
    case .alreadyFinished: break
    }
  }

  // MARK: Helpers

  private var priority: TaskPriority? { qualityOfService == .default ? nil : TaskPriority(qualityOfService) }

  /// Runs our operation, or waits for whoever does.
  private func run() async {
    while true {
      do {
        try await operation.start()
        break
      } catch OperationError.notReady {
        // A dependency was added after Foundation had found it ready.
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
  }

  /// Our operation has changed.
  private func follow(_ snapshot: OperationSnapshot) {
    if snapshot.isFinished { return }
    if snapshot.isCancelled, !super.isCancelled { super.cancel() }
    if progress.hasBegun { return }
    willChangeValue(forKey: "isReady")
    didChangeValue(forKey: "isReady")
  }
}
