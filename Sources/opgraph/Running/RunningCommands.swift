import Foundation
import Synchronization

/// The running commands, which a second signal kills.
final class RunningCommands: Sendable {
  private struct State {
    var processes: [ObjectIdentifier: CommandProcess] = [:]
    /// Never reset, so that commands that are inserted later are killed as well.
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
