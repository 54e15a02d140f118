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

  func finish(with result: Result<Output, any Error>) {
    // The handlers are returned to be freed where the lock is no longer held.
    let (waiter, _) = state.withLock { state -> (UnsafeContinuation<Void, Never>?, [Handler]) in
      guard state.result == nil else { return (nil, []) }
      state.result = result
      return (state.waiter.take(), state.handlers.removeEach())
    }
    waiter?.resume()
  }

  func onCancel(_ handler: @escaping Handler, token: CompletionToken<Output>) {
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
