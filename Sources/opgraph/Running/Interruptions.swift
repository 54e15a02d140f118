import Foundation
import Synchronization

/// Hears SIGINT and SIGTERM in place of the system.
///
/// The signals are blocked in every thread and waited for in one, so none is lost and none finds the system's own
/// answer. A signal source of Dispatch's would do neither on Linux until it is registered, some time after its making.
final class Interruptions: Sendable {
  private struct State {
    var policy = InterruptionPolicy()
    /// Nil until there is a run.
    var kill: (@Sendable () -> Void)?
    /// Nil until the run can be cancelled.
    var cancel: (@Sendable () -> Void)?
  }

  private let signals = [SIGINT, SIGTERM]
  private let state = Mutex(State())

  /// Blocks the signals in the calling thread; threads that exist already must not, so it is called before any other.
  init() {
    for number in signals { signal(number, SIG_DFL) }
    var set = signalSet
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Waits for signals and acts on them, until something else ends the program.
  func wait() -> Never {
    var set = signalSet
    while true {
      var number: Int32 = 0
      guard sigwait(&set, &number) == 0 else { continue }
      received(number)
    }
  }

  /// Says that there may be commands from now on; `kill` ends them at the second signal.
  func runBegan(kill: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.policy.runBegan()
      state.kill = kill
    }
  }

  /// Calls `cancel` for the first signal; at once where that came before.
  func onCancel(_ cancel: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      state.cancel = cancel
      return state.policy.exitStatus != nil
    }
    if isLate { cancel() }
  }

  /// What the program leaves with; nil while no signal came.
  var exitStatus: Int32? { state.withLock(\.policy.exitStatus) }

  private func received(_ number: Int32) {
    let (action, cancel, kill) = state.withLock { ($0.policy.received(number), $0.cancel, $0.kill) }
    switch action {
    case .cancel:
      Descriptor.complain("interrupted; waiting for the running commands, once more to kill them")
      cancel?()
    case .kill:
      Descriptor.complain("killing the running commands")
      kill?()
    case .exit(let status):
      exit(status)
    }
  }

  private var signalSet: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in signals { sigaddset(&set, number) }
    return set
  }
}
