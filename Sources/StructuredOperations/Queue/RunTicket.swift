/// Where the caller of `run` waits until its operation is chosen.
final class RunTicket: Sendable {
  enum Answer: Sendable {
    case run(QueueTurn.Assignment)
    /// The operation has finished without running.
    case leave
  }

  private struct State: Sendable {
    var answer: Answer?
    var waiter: UnsafeContinuation<Void, Never>?
  }

  private let state = Guarded(State())

  func answer(_ answer: Answer) {
    let waiter = state.withLock { state in
      state.answer = answer
      return state.waiter.take()
    }
    waiter?.resume()
  }

  /// Suspends until there is an answer.
  ///
  /// It is called once.
  var answer: Answer {
    get async {
      while true {
        if let answer = state.withLock({ $0.answer }) { return answer }
        await withUnsafeContinuation { waiter in
          let isAnswered = state.withLock { state in
            if state.answer == nil { state.waiter = waiter }
            return state.answer != nil
          }
          if isAnswered { waiter.resume() }
        }
      }
    }
  }
}
