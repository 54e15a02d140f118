import Testing
import TestSupport

@testable import StructuredOperations

/// Random programs whose bodies wait for one another, run for real while somebody meddles.
@Suite("Random waits", .hangGuard)
struct RandomWaitsTests {
  @Test("Waits without a loop all end, no false alarm is raised, and limits hold for bodies that do not wait")
  func acyclic() async throws {
    var waits = 0
    for seed in UInt64(0)..<150 {
      let weak = try await run(RandomWaits(seed: seed, isCyclic: false)) { waits += $0.waitCount }
      await check(weak, seed)
    }
    #expect(waits > 1_000)
  }

  @Test("Waits that close loops are found, whichever way these are closed, and everything ends")
  func cyclic() async throws {
    var loops = 0
    for seed in UInt64(10_000)..<10_250 {
      let weak = try await run(RandomWaits(seed: seed, isCyclic: true)) { loops += $0.loopCount }
      await check(weak, seed)
    }
    #expect(loops > 250)
  }

  private func run(_ program: RandomWaits, _ done: (RandomWaits) -> Void) async throws -> [Weak] {
    try await program.run()
    #expect(program.faults == [])
    done(program)
    return program.forget()
  }

  private func check(_ weak: [Weak], _ seed: UInt64) async {
    let isFreed = await eventually { weak.allSatisfy { $0.object == nil } }
    #expect(isFreed, "seed \(seed): \(weak.filter { $0.object != nil }.count) objects are left")
    HangGuard.progress()
  }
}
