import Foundation
import Testing
import TestSupport

@testable import opgraph

@Suite("RunningCommands", .hangGuard, .timeLimit(.minutes(15)))
struct RunningCommandsTests {
  /// What is to be called after a time.
  private let scheduled = Locked<[@Sendable () -> Void]>([])
  private let running: RunningCommands

  init() {
    let scheduled = scheduled
    running = RunningCommands(failureLimit: nil) { delay, action in
      #expect(delay == RunningCommands.retryDelay)
      scheduled.append(action)
    }
  }

  /// Calls what is to be called, and returns how much that was.
  private func passTime() -> Int {
    let actions = scheduled.withLock { actions in
      defer { actions = [] }
      return actions
    }
    for action in actions { action() }
    return actions.count
  }

  @Test("What the system has refused is tried again after a time, though none of the running commands ends")
  func retries() async throws {
    let folder = try TemporaryFolder()
    let go = try Fifo(folder.path("go"))
    let first = try await running.start("first") {
      try CommandProcess(command: "read line <go", directory: folder.path)
    }
    let lacks = Locked(true)
    let tries = Locked(0)
    let start: RunningCommands.Start = {
      tries.withLock { $0 += 1 }
      if lacks.current { throw SystemError(code: EAGAIN) }
      return try CommandProcess(command: ":", directory: folder.path)
    }
    async let second = running.start("second", start)
    async let third = running.start("third", start)
    // One has been refused; the other one waits, or will, behind it.
    #expect(await eventually { scheduled.current.count == 1 })
    #expect(tries.current == 1)

    #expect(passTime() == 1)
    #expect(tries.current == 2)
    lacks.withLock { $0 = false }
    #expect(passTime() == 1)

    let results = try await (second.result, third.result)
    #expect(results.0.ending == .exited(status: 0))
    #expect(results.1.ending == .exited(status: 0))
    #expect(passTime() == 0)
    go.writeLine()
    #expect(await first.result.ending == .exited(status: 0))
  }
}
