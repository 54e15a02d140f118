/// How a `callback:` body says that its operation has finished.
///
/// ```swift
/// let save = AsyncOperation<Void> { completion in
///   object.saveInBackground { error in
///     completion.finish(with: error.map(Result.failure) ?? .success(()))
///   }
/// }
/// ```
///
/// The first call finishes the operation, later ones are ignored (AS-06). It may come from any thread, before or after
/// the body has returned. Where the last copy goes away without a call, the operation finishes with
/// ``OperationError/abandoned``: it cannot hang because somebody forgot to call (LC-12).
public struct OperationCompletion<Output: Sendable>: Sendable {
  let token: CompletionToken<Output>

  /// Finishes the operation with an output.
  public func finish(returning output: Output) {
    finish(with: .success(output))
  }

  /// Finishes the operation with an error.
  ///
  /// `CancellationError` in an operation that was cancelled means that it was cancelled, and no failure.
  public func finish(throwing error: any Error) {
    finish(with: .failure(error))
  }

  /// Finishes the operation with either.
  public func finish(with result: Result<Output, any Error>) {
    token.relay.finish(with: result)
  }

  /// Has the handler called when the operation is cancelled; at once where it has been already.
  ///
  /// It is called once, on the thread that cancels, and is handed the completion so that it need not hold it: a
  /// handler does not keep an operation from being abandoned. It is not called once the operation has finished.
  /// Finishing is up to it, or to whoever else holds the completion.
  public func onCancel(_ handler: @escaping @Sendable (OperationCompletion<Output>) -> Void) {
    token.relay.onCancel(handler, token: token)
  }
}

extension OperationCompletion where Output == Void {
  /// Finishes the operation.
  public func finish() {
    finish(returning: ())
  }
}
