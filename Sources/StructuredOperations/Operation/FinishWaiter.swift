/// A task that waits for the finish of an operation.
struct FinishWaiter: Keyed {
  private let continuation: UnsafeContinuation<Void, Never>
  /// The task, where cancelling it ends the wait; it waits for one thing at a time.
  let key: BodyTask?

  init(_ continuation: UnsafeContinuation<Void, Never>, cancelledWith task: BodyTask? = nil) {
    self.continuation = continuation
    key = task
  }

  func resume() { continuation.resume() }
}
