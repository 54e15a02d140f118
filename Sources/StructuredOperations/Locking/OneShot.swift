/// A value that is set once, by any thread, and awaited by one task.
package final class OneShot<Value: Sendable>: Sendable {
  private struct State: Sendable {
    var value: Value?
    /// Nil unless a task is suspended and there is no value.
    var waiter: UnsafeContinuation<Void, Never>?
  }

  private let state = Guarded(State())

  package init() {}

  /// The value if it has been set.
  package var currentValue: Value? { state.withLock { $0.value } }

  /// Sets the value and resumes the task that awaits it; does nothing if a value has been set before.
  package func fulfil(with value: Value) {
    let waiter = state.withLock { state -> UnsafeContinuation<Void, Never>? in
      guard state.value == nil else { return nil }
      state.value = value
      return state.waiter.take()
    }
    // Outside the lock: resuming runs the `enqueue` of the waiting task's executor.
    waiter?.resume()
  }

  /// The value; suspends until it is set.
  ///
  /// Only one task at a time may wait. Cancelling that task does not end the wait.
  package nonisolated(nonsending) var value: Value {
    get async {
      while true {
        if let value = currentValue { return value }
        await suspendTask(registering: register)
      }
    }
  }

  /// Stores the continuation unless the value has been set since the waiting task looked for it.
  ///
  /// For example, task A finds no value and begins to suspend. Thread B then sets the value and finds no continuation
  /// to resume. Without the check here, A would store its continuation now and never be resumed.
  func register(_ waiter: UnsafeContinuation<Void, Never>) -> Bool {
    state.withLock { state in
      guard state.value == nil else { return false }
      precondition(state.waiter == nil, "two tasks await the same one-shot value")
      state.waiter = waiter
      return true
    }
  }
}
