import TestSupport

@testable import StructuredOperations

#if !os(WASI)
  /// A platform that has no more threads to give than a test lets it have.
  final class ThreadSupply: Sendable {
    private struct State: Sendable {
      var left: Int
      var refusals = 0
      var returned = 0
    }

    private let state: Locked<State>
    private let isRenewed: Bool

    /// - Parameter isRenewed: Whether a thread that ends can be had again.
    init(of count: Int, isRenewed: Bool = true) {
      state = Locked(State(left: count))
      self.isRenewed = isRenewed
    }

    /// How often a thread was asked for in vain.
    var refusals: Int { state.withLock { $0.refusals } }

    /// Has so many more threads from now on.
    func add(_ count: Int) { state.withLock { $0.left += count } }

    /// The number of threads that have ended.
    var returned: Int { state.withLock { $0.returned } }

    /// A pool that gets its threads here, and gives each one back when it ends.
    func pool() -> OperationThreadPool {
      OperationThreadPool { body in
        self.takes()
          && PlatformThread.start {
            body()
            self.takeBack()
          }
      }
    }

    private func takeBack() {
      state.withLock { state in
        state.returned += 1
        if isRenewed { state.left += 1 }
      }
    }

    private func takes() -> Bool {
      state.withLock { state in
        guard state.left > 0 else {
          state.refusals += 1
          return false
        }
        state.left -= 1
        return true
      }
    }
  }
#endif
