import Foundation
import StructuredOperations
import Synchronization

/// Runs an operation of Foundation's as the body of one of ours.
final class OldOperationRun: Sendable {
  private let old: Operation
  private let queue: OperationQueue?
  private let hasBegun = Atomic(false)

  /// - Parameter queue: Where the old operation runs; nil is a queue of its own: what it does to its queue, such as
  ///   cancelling it as a whole, concerns nobody else then.
  init(of old: Operation, in queue: OperationQueue?) {
    self.old = old
    self.queue = queue
  }

  /// The body: runs the old operation and returns when it has finished.
  ///
  /// - Throws: `CancellationError` where that was cancelled; an `OperationError` where it is not ours to run.
  func run() async throws {
    hasBegun.store(true, ordering: .relaxed)
    let claim = try OldOperationClaim(on: old)
    await withTaskCancellationHandler {
      await waitForDependencies()
      await execute()
    } onCancel: {
      old.cancel()
    }
    claim.end()
    if old.isCancelled {
      // Somebody may have cancelled the old one alone. Its end is a cancellation of ours all the same.
      AsyncOperation.current?.cancel()
      throw CancellationError()
    }
  }

  // MARK: What becomes of our operation

  /// Has the old operation cancelled when ours is, and finished where ours finishes without running the body.
  ///
  /// The task ends with the states, and those end with our operation, which they do not keep. It is detached, so that
  /// it holds nothing of the caller's.
  func follow(_ states: StateSequence<OperationSnapshot>) {
    Task.detached {
      for await snapshot in states {
        if snapshot.isFinished {
          self.finishUnrun()
        } else if snapshot.isCancelled {
          self.old.cancel()
        }
      }
    }
  }

  /// Lets the old operation finish, cancelled, unless it has run: old operations may depend on it.
  private func finishUnrun() {
    if hasBegun.load(ordering: .relaxed) { return }
    old.cancel()
    // One that somebody else runs finishes there.
    guard let claim = try? OldOperationClaim(on: old) else { return }
    Self.whenFinished([old]) { claim.end() }
    (queue ?? OldQueues.make(for: old)).addSafely(old)
  }

  // MARK: Running it

  /// Waits until nothing that the old operation depends on is unfinished.
  ///
  /// The wait is one for an operation of ours, during which the body's slot is lent to others: what it waits for may
  /// need it. Readiness that the old operation decides by itself is the business of its queue.
  private func waitForDependencies() async {
    while !old.isCancelled {
      let unfinished = old.dependencies.filter { !$0.isFinished }
      if unfinished.isEmpty { return }
      let wait = AsyncOperation<Void>(name: "dependencies") { completion in
        let watcher = Self.whenFinished(unfinished) { completion.finish() }
        completion.onCancel { completion in
          // A cancelled operation does not wait for its dependencies, so nothing is left behind.
          watcher.cancel()
          completion.finish()
        }
      }
      async let started: Void = wait.start()
      await wait.waitUntilFinished()
      _ = try? await started
    }
  }

  private func execute() async {
    let queue = queue ?? OldQueues.make(for: old)
    await withCheckedContinuation { waiter in
      Self.whenFinished([old]) { waiter.resume() }
      queue.addSafely(old)
    }
  }

  /// Calls a block once when several old operations have finished.
  ///
  /// A dependency is what Foundation tells of the end of any operation, on every platform: there is no key-value
  /// observation outside of Apple's, and the completion block is the user's to set.
  ///
  /// - Returns: What waits for them. Cancelled, it neither waits nor calls.
  @discardableResult
  private static func whenFinished(_ operations: [Operation], _ block: @escaping @Sendable () -> Void) -> Operation {
    let watcher = BlockOperation(block: block)
    for operation in operations { watcher.addDependency(operation) }
    OldQueues.watchers.addSafely(watcher)
    return watcher
  }
}
