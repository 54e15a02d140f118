import Foundation
import Synchronization

/// Reacts to SIGINT, SIGTERM and SIGHUP.
final class Interruptions: Sendable {
  private struct State {
    var policy = InterruptionPolicy()
    /// Nil until the run begins.
    var kill: (@Sendable () -> Void)?
    /// Nil until the run can be cancelled.
    var cancel: (@Sendable () -> Void)?
  }

  /// The signals to call ``received(_:)`` with.
  static let signals = [SIGINT, SIGTERM]
  /// Further ones, unless whoever has started the tool has it ignore them, as `nohup` does.
  static let ignorableSignals = [SIGHUP]

  private let programExit: ProgramExit
  private let state = Mutex(State())

  init(programExit: ProgramExit) {
    self.programExit = programExit
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

  /// Reacts to a signal; not to be called by a signal handler.
  func received(_ number: Int32) {
    let (action, cancel, kill) = state.withLock { ($0.policy.received(number), $0.cancel, $0.kill) }
    switch action {
    case .cancel:
      cancel?()
      Descriptor.complainAtOnce("interrupted; waiting for the running commands, once more to kill them")
    case .kill:
      kill?()
      Descriptor.complainAtOnce("killing the running commands")
    case .exit(let status):
      programExit.exit(status)
    }
  }
}
