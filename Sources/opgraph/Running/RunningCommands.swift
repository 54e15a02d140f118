import Foundation
import Synchronization

/// The commands that run at the moment, for the one who has lost patience with them.
final class RunningCommands: Sendable {
  private struct State {
    var processes: [ObjectIdentifier: CommandProcess] = [:]
    /// Stays set, so that a command that was just being started does not slip through.
    var isKilling = false
  }

  private let state = Mutex(State())

  func insert(_ process: CommandProcess) {
    state.withLock { state in
      state.processes[ObjectIdentifier(process)] = process
      if state.isKilling { process.send(SIGKILL) }
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
