import Dispatch
import Foundation
import Synchronization

/// Hears SIGINT and SIGTERM in place of the system, from its making until the end of the program.
final class Interruptions {
  /// What the signals' handlers, on a thread of Dispatch's, share with the run.
  private final class Shared: Sendable {
    struct State {
      var policy = InterruptionPolicy()
      /// Nil until the run has begun.
      var cancel: (@Sendable () -> Void)?
    }

    let state = Mutex(State())
  }

  private let shared = Shared()
  /// Held, because a source that nobody holds falls silent.
  private let sources: [any DispatchSourceSignal]

  /// Calls `kill` for the second signal.
  init(kill: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "opgraph.interruptions")
    sources = [SIGINT, SIGTERM].map { [shared] number in
      // The source listens beside the system, whose own answer would be to end the program.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { @Sendable in
        let (action, cancel) = shared.state.withLock { ($0.policy.received(number), $0.cancel) }
        switch action {
        case .cancel:
          Descriptor.complain("interrupted; waiting for the running commands, once more to kill them")
          cancel?()
        case .kill:
          Descriptor.complain("killing the running commands")
          kill()
        case .exit(let status):
          exit(status)
        }
      }
      source.resume()
      return source
    }
  }

  /// Calls `cancel` for the first signal; at once where that came before.
  func onCancel(_ cancel: @escaping @Sendable () -> Void) {
    let isLate = shared.state.withLock { state in
      state.cancel = cancel
      return state.policy.exitStatus != nil
    }
    if isLate { cancel() }
  }

  /// What the program leaves with; nil while no signal came.
  var exitStatus: Int32? { shared.state.withLock(\.policy.exitStatus) }
}
