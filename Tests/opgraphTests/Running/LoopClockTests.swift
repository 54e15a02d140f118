import Testing
import TestSupport

@testable import opgraph

@Suite("LoopClock", .hangGuard)
struct LoopClockTests {
  private let clock = LoopClock(loop: .ofTests)

  @Test("A sleep ends after its time, not before")
  func sleep() async throws {
    let deadline = clock.now.advanced(by: .milliseconds(20))
    try await clock.sleep(until: deadline)
    #expect(clock.now >= deadline)
  }

  @Test("Of two sleeps the shorter ends first, although it began later")
  func order() async throws {
    let order = Locked<[Int]>([])
    let now = clock.now
    try await withThrowingTaskGroup { group in
      group.addTask {
        try await clock.sleep(until: now.advanced(by: .milliseconds(300)))
        order.append(2)
      }
      group.addTask {
        try await clock.sleep(until: now.advanced(by: .milliseconds(10)))
        order.append(1)
      }
      try await group.waitForAll()
    }
    #expect(order.current == [1, 2])
  }

  @Test("A cancelled sleep ends at once", arguments: [false, true])
  func cancellation(isBefore: Bool) async {
    let task = Task {
      if isBefore { withUnsafeCurrentTask { $0?.cancel() } }
      try await clock.sleep(until: .now.advanced(by: .seconds(100_000)))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
