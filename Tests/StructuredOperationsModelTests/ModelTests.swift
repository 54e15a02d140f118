import Foundation
import StructuredOperations
import StructuredOperationsTesting
import Testing
import TestSupport

/// Random programs, each checked against the reference model.
///
/// `MODEL_SEEDS=10000 swift test --filter ModelTests` runs more of them; `MODEL_FIRST=123 MODEL_SEEDS=1` runs one.
@Suite("Random programs", .serialized, .hangGuard)
struct ModelTests {
  /// The kinds of programs: `MODEL_FEATURES=bodiesWait,passesBarriers` runs only programs with both features, and
  /// `MODEL_FEATURES=none` only those with neither.
  private static var features: [ProgramGenerator.Features] {
    guard let names = ProcessInfo.processInfo.environment["MODEL_FEATURES"] else {
      return [false, true].flatMap { bodiesWait in
        [false, true].map { ProgramGenerator.Features(bodiesWait: bodiesWait, passesBarriers: $0) }
      } + [
        .init(usesLimits: true), .init(bodiesWait: true, usesLimits: true),
        .init(passesBarriers: true, usesLimits: true),
        .init(takesTime: true), .init(bodiesWait: true, takesTime: true),
        .init(bodiesWait: true, passesBarriers: true, usesLimits: true, takesTime: true),
      ]
    }
    return [
      .init(
        bodiesWait: names.contains("bodiesWait"), passesBarriers: names.contains("passesBarriers"),
        usesLimits: names.contains("usesLimits"), takesTime: names.contains("takesTime"))
    ]
  }

  @Test("do what the reference model says, in any order that a seed leads to", arguments: features)
  func seeded(features: ProgramGenerator.Features) async {
    await onThread { Self.runSeeded(features) }
  }

  private static func runSeeded(_ features: ProgramGenerator.Features) {
    for seed in ModelSeeds.range(1_000) {
      let program = ProgramGenerator.program(seed: seed, features: features)
      let faults = SeededTrial.faults(of: program, seed: seed)
      if faults.isEmpty { continue }
      let (small, smallSeed, smallFaults) = Shrinker.shrink(program, seed: seed, faults: faults)
      Issue.record(
        """
        Program \(seed) fails: \(faults.joined(separator: "; "))
        The least of it, under SeededExecutor(seed: \(smallSeed)): \(smallFaults.joined(separator: "; "))
        \(small)
        """)
      return
    }
  }

  @Test("do the same twice under the same seed", arguments: features)
  func repeatedly(features: ProgramGenerator.Features) async throws {
    try await onThread { try Self.runTwice(features) }
  }

  private static func runTwice(_ features: ProgramGenerator.Features) throws {
    for seed in ModelSeeds.range(200) {
      let program = ProgramGenerator.program(seed: seed, features: features)
      let (one, other) = (try SeededTrial.run(program, seed: seed), try SeededTrial.run(program, seed: seed))
      let isSame = one.events == other.events
      #expect(isSame, "program \(seed)")
      #expect(one.times == other.times, "program \(seed)")
      #expect(one.signature == other.signature, "program \(seed)")
    }
  }

  /// Runs on a thread that no other test needs: the body takes seconds and does not suspend.
  private func onThread(_ body: @escaping @Sendable () throws -> Void) async rethrows {
    try await withTaskExecutorPreference(OperationThreadPool.shared) { try body() }
  }

  /// On threads time is real.
  @Test("do what the reference model says on threads", arguments: features.filter { !$0.takesTime })
  func threaded(features: ProgramGenerator.Features) async {
    for seed in ModelSeeds.range(300) {
      let program = ProgramGenerator.program(seed: seed, features: features)
      let faults = await ThreadedTrial.faults(of: program)
      if faults.isEmpty { continue }
      Issue.record("Program \(seed) fails on threads: \(faults.joined(separator: "; "))\n\(program)")
      return
    }
  }
}
