import Dispatch
import Foundation

/// The running tests of this process, and the thread that checks once a second whether they make progress.
final class HangWatch: Sendable {
  private struct State: Sendable {
    var running: [UUID: String] = [:]
    /// Seconds since the last progress; not counted while no test runs.
    var idleSeconds = 0
  }

  static let shared = HangWatch()

  private static let limit = 60

  private let state = Locked(State())

  private init() {
    let thread = Thread { self.check() }
    thread.start()
  }

  func began(_ id: UUID, _ name: String) {
    state.withLock { state in
      state.running[id] = name
      state.idleSeconds = 0
    }
  }

  func ended(_ id: UUID) {
    state.withLock { state in
      state.running[id] = nil
      state.idleSeconds = 0
    }
  }

  func progressed() {
    state.withLock { $0.idleSeconds = 0 }
  }

  private func check() {
    // Never signalled: the wait is a timer of one second.
    let timer = DispatchSemaphore(value: 0)
    while true {
      _ = timer.wait(timeout: .now() + 1)
      let hanging = state.withLock { state -> [String] in
        state.idleSeconds += state.running.isEmpty ? 0 : 1
        return state.idleSeconds < Self.limit ? [] : state.running.values.sorted()
      }
      guard !hanging.isEmpty else { continue }
      // `.ci/mutants` reads this message.
      let message = "Nothing has got on for a minute. These tests run:\n  \(hanging.joined(separator: "\n  "))\n"
      FileHandle.standardError.write(Data(message.utf8))
      _exit(EXIT_FAILURE)
    }
  }
}
