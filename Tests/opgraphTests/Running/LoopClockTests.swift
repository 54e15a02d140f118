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
