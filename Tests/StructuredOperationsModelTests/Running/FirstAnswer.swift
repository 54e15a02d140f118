import StructuredOperations

/// Gives one task whatever comes first.
final class FirstAnswer<Answer: Sendable>: Sendable {
  private struct State: Sendable {
    var isGiven = false
    var answer: Answer?
    var waiter: CheckedContinuation<Answer?, Never>?
  }

  private let state = Guarded(State())

  func give(_ answer: Answer?) {
    let waiter = state.withLock { state -> CheckedContinuation<Answer?, Never>? in
      if state.isGiven { return nil }
      state.isGiven = true
      state.answer = answer
      return state.waiter.take()
    }
    waiter?.resume(returning: answer)
  }

  /// Suspends until there is one; to be read once.
  var value: Answer? {
    get async {
      await withCheckedContinuation { waiter in
        let (isGiven, answer) = state.withLock { state in
          if !state.isGiven { state.waiter = waiter }
          return (state.isGiven, state.answer)
        }
        if isGiven { waiter.resume(returning: answer) }
      }
    }
  }
}
