import Synchronization

/// The least that adds an operation, runs it within a width, and has a task wait for its end, written by hand.
///
/// Each operation has a lock and one waiter. There are no states, dependencies, priorities, cancellation, or outcomes, and a
/// wait hands no priority on.
final class PlainQueue: Sendable {
  final class Operation: Sendable {
    private struct State {
      var isFinished = false
      var waiter: UnsafeContinuation<Void, Never>?
    }

    fileprivate let body: @Sendable () async -> Void
    private let state = Mutex(State())

    init(body: @escaping @Sendable () async -> Void) { self.body = body }

    func waitUntilFinished() async {
      await withUnsafeContinuation { waiter in
        let isFinished = state.withLock { state in
          if !state.isFinished { state.waiter = waiter }
          return state.isFinished
        }
        if isFinished { waiter.resume() }
      }
    }

    fileprivate func finish() {
      let waiter = state.withLock { state in
        state.isFinished = true
        return state.waiter.take()
      }
      waiter?.resume()
    }
  }

  private struct State {
    var runningCount = 0
    var pending: [Operation] = []
  }

  private let width: Int
  private let state = Mutex(State())

  init(width: Int) { self.width = width }

  func add(_ operation: Operation) {
    let begins = state.withLock { state in
      if state.runningCount == width {
        state.pending.append(operation)
        return false
      }
      state.runningCount += 1
      return true
    }
    if begins { Task.detached { await self.work(operation) } }
  }

  private func work(_ first: Operation) async {
    var operation = first
    while true {
      await operation.body()
      let next = state.withLock { state -> Operation? in
        if !state.pending.isEmpty { return state.pending.removeFirst() }
        state.runningCount -= 1
        return nil
      }
      operation.finish()
      guard let next else { return }
      operation = next
    }
  }
}
