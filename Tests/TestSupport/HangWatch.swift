import Dispatch
import Foundation
import StructuredOperations

/// The running tests of this process, and the thread that checks once a second whether they make progress.
final class HangWatch: Sendable {
  private struct State: Sendable {
    var running: [UUID: String] = [:]
    /// Queues whose explanation may tell what hangs.
    var queues: [Weak] = []
    /// Seconds since the last progress; not counted while no test runs.
    var idleSeconds = 0
    /// How many there may be.
    var limit = HangGuard.seconds
  }

  static let shared = HangWatch()

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

  func began(_ queues: [AsyncOperationQueue]) {
    state.withLock { state in
      state.queues.removeAll { $0.object == nil }
      state.queues += queues.map(Weak.init)
    }
  }

  func setLimit(_ seconds: Int) { state.withLock { $0.limit = seconds } }

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
        return state.idleSeconds < state.limit ? [] : state.running.values.sorted()
      }
      guard !hanging.isEmpty else { continue }
      // `.ci/mutants` reads this message.
      let message = "Nothing has got on for too long. These tests run:\n  \(hanging.joined(separator: "\n  "))\n"
      FileHandle.standardError.write(Data(message.utf8))
      for explanation in explanations() { FileHandle.standardError.write(Data("\(explanation)\n".utf8)) }
      _exit(EXIT_FAILURE)
    }
  }

  /// What the queues wait for that have not finished; blocks the calling thread.
  ///
  /// Without those that are not known after half a minute: what hangs may be what explains.
  private func explanations() -> [String] {
    let queues = state.withLock { $0.queues.compactMap { $0.object as? AsyncOperationQueue } }
    let found = Locked<[String]>([])
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
      for queue in queues where queue.operationCount > 0 { found.append(String(describing: await queue.explanation)) }
      isDone.signal()
    }
    _ = isDone.wait(timeout: .now() + 30)
    return found.current
  }
}
