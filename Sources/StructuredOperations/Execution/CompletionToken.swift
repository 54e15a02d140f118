/// What all copies of one completion hold, and nobody else: its end is the end of the last copy.
final class CompletionToken<Output: Sendable>: Sendable {
  let relay: CompletionRelay<Output>

  init(relay: CompletionRelay<Output>) {
    self.relay = relay
  }

  deinit { relay.finish(with: .failure(OperationError.abandoned)) }
}
