import Foundation
import Synchronization

/// The running commands, which a second signal kills.
final class RunningCommands: Sendable {
  private struct State {
    var processes: [ObjectIdentifier: CommandProcess] = [:]
    /// Never reset, so that no further command is started.
    var isKilling = false
  }

  private let state = Mutex(State())

  /// Starts a command; throws `CancellationError` once the commands have been killed.
  ///
  /// Under the lock: otherwise ``killAll()`` on another thread could miss a command that has just been started, and the
  /// program could exit before that command is killed.
  func start(_ start: () throws -> CommandProcess) throws -> CommandProcess {
    try state.withLock { state in
      if state.isKilling { throw CancellationError() }
      let process = try start()
      state.processes[ObjectIdentifier(process)] = process
      return process
    }
  }

  func remove(_ process: CommandProcess) {
    state.withLock { _ = $0.processes.removeValue(forKey: ObjectIdentifier(process)) }
  }

  func killAll() {
    state.withLock { state in
      state.isKilling = true
      for process in state.processes.values { process.send(SIGKILL) }
    }
  }
}
