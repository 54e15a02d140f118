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
  fileprivate let token: CompletionToken<Output>

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

/// What all copies of one completion hold, and nobody else: its end is the end of the last copy.
final class CompletionToken<Output: Sendable>: Sendable {
  fileprivate let relay: CompletionRelay<Output>

  fileprivate init(relay: CompletionRelay<Output>) {
    self.relay = relay
  }

  deinit { relay.finish(with: .failure(OperationError.abandoned)) }
}

/// Where the body's task waits for the completion.
final class CompletionRelay<Output: Sendable>: Sendable {
  typealias Handler = @Sendable (OperationCompletion<Output>) -> Void

  private struct State: Sendable {
    var result: Result<Output, any Error>?
    var waiter: UnsafeContinuation<Void, Never>?
    var isCancelled = false
    /// Empty once the result is there or the operation is cancelled.
    var handlers: [Handler] = []
    weak var token: CompletionToken<Output>?
  }

  private let state = Guarded(State())

  /// Calls a `callback:` body and waits until its completion is called, or dropped.
  static func run(_ callback: @Sendable (OperationCompletion<Output>) -> Void) async throws -> Output {
    let relay = CompletionRelay()
    return try await withTaskCancellationHandler {
      relay.call(callback)
      return try await relay.result.get()
    } onCancel: {
      relay.cancel()
    }
  }

  /// In a function of its own, so that nothing here outlives the body's copies of the completion.
  private func call(_ callback: @Sendable (OperationCompletion<Output>) -> Void) {
    let token = CompletionToken(relay: self)
    state.withLock { $0.token = token }
    callback(OperationCompletion(token: token))
  }

  private var result: Result<Output, any Error> {
    get async {
      while true {
        if let result = state.withLock({ $0.result }) { return result }
        await withUnsafeContinuation { waiter in
          let hasResult = state.withLock { state in
            if state.result == nil { state.waiter = waiter }
            return state.result != nil
          }
          if hasResult { waiter.resume() }
        }
      }
    }
  }

  fileprivate func finish(with result: Result<Output, any Error>) {
    // The handlers are returned to be freed where the lock is no longer held.
    let (waiter, _) = state.withLock { state -> (UnsafeContinuation<Void, Never>?, [Handler]) in
      guard state.result == nil else { return (nil, []) }
      state.result = result
      return (state.waiter.take(), state.handlers.removeEach())
    }
    waiter?.resume()
  }

  fileprivate func onCancel(_ handler: @escaping Handler, token: CompletionToken<Output>) {
    let isDue = state.withLock { state in
      guard state.result == nil else { return false }
      if !state.isCancelled { state.handlers.append(handler) }
      return state.isCancelled
    }
    if isDue { handler(OperationCompletion(token: token)) }
  }

  private func cancel() {
    let (handlers, token) = state.withLock { state in
      state.isCancelled = true
      return (state.handlers.removeEach(), state.token)
    }
    guard let token else { return }
    for handler in handlers { handler(OperationCompletion(token: token)) }
  }
}
