extension AsyncOperation {
  /// Waits until the operation has finished, and returns what it produced or throws why there is nothing.
  ///
  /// Suspends without holding a thread. Where the waiting task is cancelled, the wait ends with `CancellationError`, and
  /// the operation is left alone: use ``OperationProtocol/cancel()`` to cancel it, and ``waitUntilFinished()`` to go on
  /// waiting. A finished operation gives its outcome to a cancelled task, too.
  ///
  /// The own task of another operation's body lends its slot for the wait: see ``waitUntilFinished()``. It has a slot
  /// again when this returns or throws, also where it was cancelled.
  ///
  /// - Throws: What the body threw; `CancellationError` where the outcome is ``OperationOutcome/cancelled``, or where
  ///   the waiting task was cancelled;
  ///   ``OperationError/dependencyFailed(on:underlying:)`` where it did not run because of a dependency;
  ///   ``OperationError/waitWouldDeadlock`` where this operation waits for the one whose body asks.
  public nonisolated var value: Output {
    get async throws {
      switch await storage.waitUnlessCancelled(for: self) {
      case .done: break
      case .cancelled: throw CancellationError()
      case .deadlock: throw OperationError.waitWouldDeadlock
      }
      switch outcome {
      case .success(let output): return output
      case .failure(let error): throw error
      case .cancelled: throw CancellationError()
      case nil: preconditionFailure("an operation finished without an outcome")
      }
    }
  }

  /// Suspends until the operation has finished, its queue has let it go, and its dependents have been told.
  ///
  /// Any number of tasks may wait, and none holds a thread. It never throws: cancelling the waiting task neither
  /// cancels the operation nor cuts the wait short. The wait for an operation that nobody runs never ends.
  ///
  /// The own task of another operation's body lends its slot for the wait: other operations of its queue may run. On
  /// return it has a slot again, ahead of all that has not begun. Where this operation waits for that one, through
  /// any number of dependencies, waits and barriers, the wait could never end: the program stops,
  /// with a message that names the operations; ``value`` throws instead. Tasks that a body starts, and its child tasks,
  /// neither lend their slot nor are part of this search.
  public nonisolated func waitUntilFinished() async {
    await storage.waitUntilFinished(self).orStop("waitUntilFinished()")
  }

  /// Runs the operation without a queue, and returns when it has finished, whatever its body.
  ///
  /// The body runs in a child task of the calling one, whose cancellation cancels the operation. What the body throws
  /// is its outcome and not thrown here. A cancelled operation finishes unrun. On a finished one nothing happens.
  ///
  /// The own task of another operation's body lends its slot meanwhile: what is started there does not count in the limit
  /// of that body's queue.
  ///
  /// - Throws: ``OperationError/notReady`` where a dependency has not finished, which leaves the operation as it was;
  ///   ``OperationError/alreadyExecuting``; ``OperationError/alreadyEnqueued`` where a queue will run it.
  public nonisolated func start() async throws { try await storage.start(as: self) }
}
