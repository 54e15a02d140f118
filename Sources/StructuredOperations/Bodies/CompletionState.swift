/// The state that the copies of one ``OperationCompletion`` share with the task that runs the body.
final class CompletionState<Output: Sendable>: CompletionProgress {
  typealias Handler = @Sendable (OperationCompletion<Output>) -> Void

  private struct State: Sendable {
    var isFinished = false
    var isCancelled = false
    /// Empty once the body has finished or the operation has been cancelled.
    var handlers: [Handler] = []
    /// Weak, because the guard's `deinit` is what detects that the last copy of the completion is gone.
    weak var abandonmentGuard: AbandonmentGuard<Output>?
  }

  private let state = Guarded(State())
  private let result = OneShot<Result<Output, any Error>>()

  /// Calls a `callback:` body and waits until its completion is called or dropped.
  ///
  /// - Parameter returned: Called once the body has returned, where that has not come about.
  static func run(
    _ callback: @Sendable (OperationCompletion<Output>) -> Void,
    returned: (PendingCompletion) -> Void
  ) async throws -> Output {
    let completionState = CompletionState()
    return try await withTaskCancellationHandler {
      completionState.call(callback)
      if !completionState.isFinished { returned(PendingCompletion(completionState)) }
      return try await completionState.result.value.get()
    } onCancel: {
      completionState.cancel()
    }
  }

  /// A separate function, so that the guard is released on return unless the body has kept a copy of the completion.
  private func call(_ callback: @Sendable (OperationCompletion<Output>) -> Void) {
    let abandonmentGuard = AbandonmentGuard(completionState: self)
    state.withLock { $0.abandonmentGuard = abandonmentGuard }
    callback(OperationCompletion(abandonmentGuard: abandonmentGuard))
  }

  var isFinished: Bool { state.withLock { $0.isFinished } }

  /// The first call wins; later ones have no effect.
  func finish(with result: Result<Output, any Error>) {
    // The handlers are returned so that they are freed after the lock is released.
    _ = state.withLock { state in
      state.isFinished = true
      return state.handlers.removeEach()
    }
    self.result.fulfil(with: result)
  }

  /// Calls the handler now if the operation has been cancelled, otherwise keeps it for ``cancel()``.
  ///
  /// The lock decides which. If one thread registers a handler while another cancels, either the handler is in the list
  /// that `cancel()` takes, or `isCancelled` is already set here. In both cases it is called once, unless the
  /// completion is called first.
  func onCancel(_ handler: @escaping Handler, abandonmentGuard: AbandonmentGuard<Output>) {
    let isCancelled = state.withLock { state in
      guard !state.isFinished else { return false }
      if !state.isCancelled { state.handlers.append(handler) }
      return state.isCancelled
    }
    if isCancelled { handler(OperationCompletion(abandonmentGuard: abandonmentGuard)) }
  }

  private func cancel() {
    let (handlers, abandonmentGuard) = state.withLock { state in
      state.isCancelled = true
      return (state.handlers.removeEach(), state.abandonmentGuard)
    }
    guard let abandonmentGuard else { return }
    for handler in handlers {
      // One before it may have called the completion.
      if isFinished { return }
      handler(OperationCompletion(abandonmentGuard: abandonmentGuard))
    }
  }
}
