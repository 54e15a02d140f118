import Foundation
import Synchronization

/// Receives SIGINT and SIGTERM.
///
/// The signals are blocked in every thread, and one thread waits for them, so that none is lost or handled by the
/// default action. A Dispatch signal source on Linux is installed asynchronously and misses signals before that.
final class Interruptions: Sendable {
  private struct State {
    var policy = InterruptionPolicy()
    /// Nil until the run begins.
    var kill: (@Sendable () -> Void)?
    /// Nil until the run can be cancelled.
    var cancel: (@Sendable () -> Void)?
  }

  private let signals = [SIGINT, SIGTERM]
  private let state = Mutex(State())

  /// Blocks the signals in the calling thread and, by inheritance, in threads created later.
  ///
  /// To be called before any other thread exists.
  init() {
    for number in signals { signal(number, SIG_DFL) }
    var set = signalSet
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Waits for signals and handles them until the program exits.
  func wait() -> Never {
    var set = signalSet
    while true {
      var number: Int32 = 0
      guard sigwait(&set, &number) == 0 else { continue }
      received(number)
    }
  }

  /// Begins a run, whose commands `kill` ends at the second signal.
  func runBegan(kill: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.policy.runBegan()
      state.kill = kill
    }
  }

  /// Calls `cancel` at the first signal, or at once if it has been received already.
  func onCancel(_ cancel: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      state.cancel = cancel
      return state.policy.exitStatus != nil
    }
    if isLate { cancel() }
  }

  /// The exit status after a signal; nil before that.
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
