import Foundation
import StructuredOperations
import Synchronization

/// Runs a Foundation operation as the body of an `AsyncOperation`.
final class OldOperationRun: Sendable {
  private let old: Operation
  private let queue: OperationQueue?
  private let hasBegun = Atomic(false)
  private let cancellation = Guarded(OldCancellationStateMachine<UnsafeContinuation<Void, Never>>())

  /// - Parameter queue: The queue that runs `old`; nil for a new one, so that nothing else is affected if `old` cancels
  ///   all operations of its queue, for example.
  init(of old: Operation, in queue: OperationQueue?) {
    self.old = old
    self.queue = queue
  }

  /// The body: runs the Foundation operation and returns when it has finished.
  ///
  /// - Throws: `CancellationError` if that was cancelled; an `OperationError` if it could not be claimed.
  func run() async throws {
    hasBegun.store(true, ordering: .relaxed)
    let claim = try OldOperationClaim(on: old)
    await withTaskCancellationHandler {
      await waitForDependencies()
      await execute()
    } onCancel: {
      cancel()
    }
    await waitForCancel()
    claim.end()
    Self.keepWhileAwaiting(old)
    if old.isCancelled {
      // If only the Foundation operation was cancelled, this cancels the operation that runs it as well.
      AsyncOperation.current?.cancel()
      throw CancellationError()
    }
  }

  // MARK: Following the operation

  /// Cancels the Foundation operation when the `AsyncOperation` is cancelled, and finishes it if that never runs its
  /// body.
  ///
  /// The task ends when the `AsyncOperation` has finished or is released. It is detached, so that it does not keep the
  /// caller's task-local values alive.
  func follow(_ states: StateSequence<OperationSnapshot>) {
    Task.detached {
      for await snapshot in states {
        if snapshot.isFinished {
          self.finishUnrun()
        } else if snapshot.isCancelled, !self.hasBegun.load(ordering: .relaxed) {
          // Once the body runs its cancellation handler does so, before `cancel()` returns.
          self.cancel()
        }
      }
    }
  }

  /// Cancels the Foundation operation, unless that is done or under way; while it is being added that follows.
  private func cancel() {
    let isExecuting = old.isExecuting
    if cancellation.withLock({ $0.cancel(isExecuting: isExecuting) }) { callCancel() }
  }

  private func callCancel() {
    old.cancel()
    for waiter in cancellation.withLock({ $0.cancelled() }) { waiter.resume() }
  }

  /// Suspends while a thread calls the Foundation operation's `cancel()`.
  private func waitForCancel() async {
    await suspendTask { waiter in cancellation.withLock { $0.wait(waiter) } }
  }

  /// Cancels and finishes the Foundation operation if it has not run, since others may depend on it.
  private func finishUnrun() {
    if hasBegun.load(ordering: .relaxed) { return }
    cancel()
    // If the claim fails, something else runs the operation, and it finishes there.
    guard let claim = try? OldOperationClaim(on: old) else { return }
    Self.whenFinished([old]) { [old] in
      claim.end()
      Self.keepWhileAwaiting(old)
    }
    (queue ?? OldQueues.make(for: old)).addSafely(old)
  }

  // MARK: Running the Foundation operation

  /// Suspends until all dependencies of the Foundation operation have finished.
  ///
  /// Waits by means of an `AsyncOperation`, so that the body releases its slot, which the dependencies may need. Other
  /// conditions, in an override of `isReady`, are left to the Foundation queue.
  private func waitForDependencies() async {
    // An override of `cancel()` may leave the Foundation operation as it is; then the Foundation queue has it wait.
    while !old.isCancelled, !Task.isCancelled {
      let unfinished = old.dependencies.filter { !$0.isFinished }
      if unfinished.isEmpty { return }
      let names = unfinished.prefix(3).map { $0.name ?? "\(type(of: $0))" } + (unfinished.count > 3 ? ["…"] : [])
      let name = "what \(old.name ?? "the old operation") depends on: \(names.joined(separator: ", "))"
      let wait = AsyncOperation<Void>(name: name) { completion in
        let watcher = Self.whenFinished(unfinished) { completion.finish() }
        completion.onCancel { completion in
          // Outside of Apple's platforms a Foundation operation keeps unowned references to those that depend on it, until it
          // finishes or they are removed. The watcher may be freed before that: cancelled, it waits for nothing any more.
          for operation in unfinished { watcher.removeDependency(operation) }
          watcher.cancel()
          completion.finish()
        }
      }
      try? await wait.start()
    }
  }

  private func execute() async {
    let queue = queue ?? OldQueues.make(for: old)
    while !cancellation.withLock({ $0.beginAdding() }) { await waitForCancel() }
    await withCheckedContinuation { waiter in
      Self.whenFinished([old]) { waiter.resume() }
      // An override of `cancel()` may have finished it, and Foundation takes nothing that has finished.
      if !old.isFinished { queue.addSafely(old) }
      if cancellation.withLock({ $0.added() }) { callCancel() }
    }
  }

  /// Keeps a Foundation operation that has finished until those have that it depends on.
  ///
  /// Outside of Apple's platforms these keep unowned references to it, and use them when they finish. Example: B, which depends
  /// on A, is cancelled. So it need not wait for A, finishes, and would be freed.
  static func keepWhileAwaiting(_ operation: Operation) {
    #if !canImport(Darwin)
      // Finished dependencies count, too: `isFinished` is true before Foundation looks at the references. Each has a watcher of
      // its own. Example: B depends on A and C. A finishes, and before its thread comes to B, C finishes: one watcher of both would
      // let go of B then. A barrier of the queue that B is in is not listed, so B is not kept for it.
      for dependency in operation.dependencies { whenFinished([dependency]) { withExtendedLifetime(operation) {} } }
    #endif
  }

  /// Calls a block once when several Foundation operations have finished.
  ///
  /// Uses an operation that depends on them. Key-value observation is not available outside of Apple's platforms, and
  /// the completion block belongs to the user.
  ///
  /// - Returns: The operation that waits. If it is cancelled, the block is not called.
  @discardableResult
  private static func whenFinished(_ operations: [Operation], _ block: @escaping @Sendable () -> Void) -> Operation {
    let watcher = BlockOperation(block: block)
    for operation in operations { watcher.addDependency(operation) }
    OldQueues.watchers.addSafely(watcher)
    return watcher
  }
}
