/// Fails the operation if every copy of its completion is dropped without a call.
///
/// Only copies of ``OperationCompletion`` hold it, so its `deinit` runs when the last copy is gone.
final class AbandonmentGuard<Output: Sendable>: Sendable {
  let completionState: CompletionState<Output>

  init(completionState: CompletionState<Output>) {
    self.completionState = completionState
  }

  deinit { completionState.finish(with: .failure(OperationError.abandoned)) }
}
