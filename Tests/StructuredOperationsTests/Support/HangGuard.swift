import Dispatch
import Foundation
import Testing

/// Ends the process where no test has begun or ended for a minute, and names those that run: a time limit cancels
/// a test, but a wait for an operation does not heed that.
struct HangGuard: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    let id = UUID()
    Watch.shared.began(id, "\(test.displayName ?? test.name) (\(test.sourceLocation.fileID))")
    defer { Watch.shared.ended(id) }
    try await function()
  }

  /// The same for code that runs in a process of its own, where there are no traits.
  static func watch(_ name: String) {
    Watch.shared.began(UUID(), name)
  }

  /// Tells that a long test gets on.
  static func progress() {
    Watch.shared.progressed()
  }
}

extension Trait where Self == HangGuard {
  static var hangGuard: Self { Self() }
}

/// The thread that looks on.
private final class Watch: Sendable {
  private struct State: Sendable {
    var running: [UUID: String] = [:]
    /// Seconds in which nothing got on.
    var idleSeconds = 0
  }

  static let shared = Watch()

  private static let progress = Notification.Name("HangGuard.progress")

  private let state = Locked(State())

  private init() {
    // Each module of tests has a watch of its own, and may have to wait for the others, which share its process.
    _ = NotificationCenter.default.addObserver(forName: Self.progress, object: nil, queue: nil) { [state] _ in
      state.withLock { $0.idleSeconds = 0 }
    }
    let thread = Thread { self.look() }
    thread.start()
  }

  func began(_ id: UUID, _ name: String) {
    state.withLock { $0.running[id] = name }
    progressed()
  }

  func ended(_ id: UUID) {
    state.withLock { $0.running[id] = nil }
    progressed()
  }

  func progressed() {
    NotificationCenter.default.post(name: Self.progress, object: nil)
  }

  private func look() {
    // A clock's tick: nobody signals it.
    let tick = DispatchSemaphore(value: 0)
    while true {
      _ = tick.wait(timeout: .now() + 1)
      let hanging = state.withLock { state -> [String] in
        state.idleSeconds += state.running.isEmpty ? 0 : 1
        return state.idleSeconds < 60 ? [] : state.running.values.sorted()
      }
      guard !hanging.isEmpty else { continue }
      let message = "Nothing has got on for a minute. These tests run:\n  \(hanging.joined(separator: "\n  "))\n"
      FileHandle.standardError.write(Data(message.utf8))
      _exit(EXIT_FAILURE)
    }
  }
}
