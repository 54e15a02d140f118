/// Finishes an operation that has a `callback:` body.
///
/// ```swift
/// let save = AsyncOperation<Void> { completion in
///   object.saveInBackground { error in
///     completion.finish(
///       with: error.map(Result.failure) ?? .success(()))
///   }
/// }
/// ```
///
/// The first call finishes the operation; later ones are ignored. The call may come from any thread, before or after
/// the body has returned. If the last copy is dropped without a call, the operation fails with
/// ``OperationError/abandoned``, so a forgotten call cannot leave it executing for ever.
public struct OperationCompletion<Output: Sendable>: Sendable {
  let abandonmentGuard: AbandonmentGuard<Output>

  /// Finishes the operation with an output.
  ///
  /// - Parameter output: What the operation has produced.
  public func finish(returning output: Output) {
    finish(with: .success(output))
  }

  /// Finishes the operation with an error.
  ///
  /// If the operation has been cancelled and the error is a `CancellationError`, the outcome is
  /// ``OperationOutcome/cancelled``.
  ///
  /// - Parameter error: Why there is nothing.
  public func finish(throwing error: any Error) {
    finish(with: .failure(error))
  }

  /// Finishes the operation with an output or an error.
  ///
  /// - Parameter result: What the operation has produced, or why there is nothing.
  public func finish(with result: Result<Output, any Error>) {
    abandonmentGuard.completionState.finish(with: result)
  }

  /// Calls the handler when the operation is cancelled, or at once if it has been cancelled already.
  ///
  /// The handler is called once, on the thread that cancels, and not if the completion has been called by then. Another thread may
  /// call the completion while the handler runs. The handler does not finish the operation by itself. It should use the
  /// completion that it is passed: one that it captured would keep the operation from being found abandoned.
  ///
  /// - Parameter handler: Is called once at most, and is freed when the operation finishes. Gets the completion.
  public func onCancel(_ handler: @escaping @Sendable (OperationCompletion<Output>) -> Void) {
    abandonmentGuard.completionState.onCancel(handler, abandonmentGuard: abandonmentGuard)
  }
}

extension OperationCompletion where Output == Void {
  /// Finishes the operation.
  public func finish() {
    finish(returning: ())
  }
}
