import StructuredOperations
import StructuredOperationsTesting
import Testing
import TestSupport

/// Programs that failed once, shrunk as far as possible, under some seeds.
@Suite("Programs that went wrong once", .hangGuard)
struct RegressionProgramTests {
  private func expectNoFaults(_ program: Program, seeds: Range<UInt64> = 0..<100) {
    for seed in seeds {
      // The orders under which they failed.
      let faults = SeededTrial.faults(of: program, seed: seed ^ SeededExecutor.ownStream)
      #expect(faults == [], "seed \(seed)")
    }
  }

  @Test("A queue is not suspended any more when its scope has just been cancelled")
  func suspensionAfterCancellation() {
    expectNoFaults(
      Program(
        queues: [.init(limit: 1, isSuspended: false)],
        operations: [.init(id: 0, body: .main, yields: 0, priority: .normal, dependencies: [], home: 0)],
        scripts: [[.add(0, queue: 0, .asynchronous), .cancelScope, .suspend(queue: 0), .settle]],
        scope: .returning))
  }

  @Test("What is added to a cancelled scope leaves at once, though all slots are taken")
  func addingAfterCancellation() {
    expectNoFaults(
      Program(
        queues: [.init(limit: 1, isSuspended: false)],
        operations: [
          .init(id: 6, body: .main, yields: 0, priority: .normal, dependencies: [], home: 0),
          .init(id: 7, body: .held, yields: 0, priority: .normal, dependencies: [], home: 0),
        ],
        scripts: [
          [.add(7, queue: 0, .strict), .settle, .cancelScope, .settle, .add(6, queue: 0, .asynchronous), .settle]
        ],
        scope: .returning))
  }

  @Test("A body has its slot again when what it waits for leaves without running")
  func waitForWhatLeaves() {
    expectNoFaults(
      Program(
        queues: [.init(limit: 3, isSuspended: false)],
        operations: [
          .init(id: 0, body: .main, yields: 0, priority: .normal, dependencies: [], home: 0),
          .init(id: 1, body: .start, yields: 0, priority: .normal, dependencies: [], home: 0, waitsFor: 0),
        ],
        scripts: [[.cancel(0)], [.add(1, queue: 0, .synchronous)], [.add(0, queue: 0, .strict)]],
        scope: nil, features: .init(bodiesWait: true, passesBarriers: false)))
  }

  @Test("Who is raised in the line for a limit comes first, also in a queue in which nothing else happens")
  func priorityInLine() {
    func plan(_ id: Int, _ body: Program.Body, _ priority: QueuePriority, home: Int) -> Program.OperationPlan {
      .init(
        id: id, body: body, yields: 0, priority: priority, dependencies: [], home: home,
        limits: [.init(limit: 0, cost: 1)])
    }
    expectNoFaults(
      Program(
        queues: [.init(limit: -1, isSuspended: false), .init(limit: -1, isSuspended: false)],
        operations: [
          plan(0, .held, .normal, home: 0), plan(1, .main, .normal, home: 1), plan(2, .main, .high, home: 0),
        ],
        scripts: [
          [
            .add(0, queue: 0, .strict), .settle, .add(1, queue: 1, .strict), .add(2, queue: 0, .strict), .settle,
            .priority(1, .veryHigh), .settle, .release(0), .settle,
          ]
        ],
        scope: nil, features: .init(usesLimits: true), limits: [1]))
  }

  @Test("A body that goes on in a suspended queue takes a slot beside what was chosen before")
  func goingOnBesideChosen() {
    func plan(_ id: Int, _ body: Program.Body, wait: Program.WaitForm = .finish) -> Program.OperationPlan {
      .init(id: id, body: body, yields: 0, priority: .normal, dependencies: [], home: 0, wait: wait)
    }
    expectNoFaults(
      Program(
        queues: [.init(limit: 1, isSuspended: false)],
        operations: [plan(1, .start, wait: .lentValue), plan(3, .main), plan(7, .main)],
        scripts: [
          [
            .call(0, queue: 0, yields: 1, isThrowing: false, limits: []), .add(1, queue: 0, .asynchronous),
            .add(3, queue: 0, .asynchronous), .limit(2, queue: 0), .suspend(queue: 0), .add(7, queue: 0, .strict),
          ]
        ],
        scope: nil, features: .init(bodiesWait: true, passesBarriers: false)), seeds: 0..<1_000)
  }
}
