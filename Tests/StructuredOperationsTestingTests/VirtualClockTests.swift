import Foundation
import StructuredOperationsTesting
import TestSupport
import Testing

import class StructuredOperationsTesting.Gate

@Suite("VirtualClock", .timeLimit(.minutes(15)), .hangGuard)
struct VirtualClockTests {
  private let clock = VirtualClock()

  @Test("Time goes on by as much as it is told to, and instants tell by how much")
  func time() {
    let start = clock.now
    #expect(clock.now == start)
    clock.advance(by: .seconds(90))
    #expect(start.duration(to: clock.now) == .seconds(90))
    #expect(clock.now.duration(to: start) == .seconds(-90))
    #expect(start < clock.now && start.advanced(by: .seconds(90)) == clock.now)
    #expect(clock.minimumResolution == .zero)
  }

  @Test("A sleeper goes on when its moment has come, and not before", arguments: [nil, .seconds(60)] as [Duration?])
  func sleeping(tolerance: Duration?) async throws {
    let deadline = clock.now.advanced(by: .seconds(10))
    let sleeper = Task { [clock] in try await clock.sleep(until: deadline, tolerance: tolerance) }
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(9_999))
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .milliseconds(1))
    #expect(clock.sleeperCount == 0)
    try await sleeper.value
  }

  @Test("Who sleeps until a moment that has come goes on at once, unless the task is cancelled", arguments: [0, -5])
  func past(seconds: Int) async throws {
    try await clock.sleep(for: .seconds(seconds))
    let sleeper = Task { [clock] in
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(seconds))
    }
    await #expect(throws: CancellationError.self) { try await sleeper.value }
  }

  @Test("advanceToNext() tells whether somebody slept")
  func next() async throws {
    let start = clock.now
    #expect(!clock.advanceToNext() && clock.now == start)
    let sleepers = [2, 1].map { seconds in Task { [clock] in try await clock.sleep(for: .seconds(seconds)) } }
    await clock.waitForSleepers(2)
    #expect(clock.advanceToNext() && clock.now == start.advanced(by: .seconds(1)))
    try await sleepers[1].value
    #expect(clock.advanceToNext() && clock.now == start.advanced(by: .seconds(2)))
    try await sleepers[0].value
    #expect(!clock.advanceToNext())
  }

  @Test(
    "A sleeper that is cancelled before or while it sleeps throws, and the others sleep on", arguments: [true, false])
  func cancelling(isBefore: Bool) async throws {
    let gate = Gate()
    let others = (0..<2).map { _ in Task { [clock] in try await clock.sleep(for: .seconds(1)) } }
    await clock.waitForSleepers(2)
    let sleeper = Task { [clock] in
      await gate.wait()
      try await clock.sleep(for: .seconds(1))
    }
    if isBefore { sleeper.cancel() }
    gate.open()
    if !isBefore {
      await clock.waitForSleepers(3)
      sleeper.cancel()
    }
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.sleeperCount == 2)
    clock.advance(by: .seconds(1))
    for other in others { try await other.value }
  }

  @Test("Who is seen asleep, and cancelled, is no sleeper any more")
  func cancelledAtOnce() async {
    // Two threads of their own: each round would wait for two turns among the tasks of all tests.
    let sleeping = LabelledExecutor("sleeping")
    await Task(executorPreference: LabelledExecutor("cancelling")) { [clock] in
      for _ in 0..<500 {
        let sleeper = Task.detached(executorPreference: sleeping) { try await clock.sleep(for: .seconds(1)) }
        while clock.sleeperCount == 0 { sched_yield() }
        sleeper.cancel()
        #expect(clock.sleeperCount == 0)
        _ = await sleeper.result
      }
    }.value
  }

  @Test("Who waits for sleepers goes on as soon as there are so many")
  func waiting() async throws {
    await clock.waitForSleepers(0)
    let waiters = [1, 2].map { count in
      Task { [clock] in
        await clock.waitForSleepers(count)
        return clock.sleeperCount
      }
    }
    let sleepers = (0..<2).map { _ in Task { [clock] in try await clock.sleep(for: .seconds(1)) } }
    for (index, waiter) in waiters.enumerated() { #expect(await waiter.value > index) }
    clock.advance(by: .seconds(1))
    for sleeper in sleepers { try await sleeper.value }
  }

  @Test("Who waits for sleepers that do not come goes on when the task is cancelled, before or meanwhile")
  func cancelledWaiting() async {
    await withTaskGroup { group in
      for number in 0..<200 {
        group.addTask { [clock] in
          let waiter = Task { await clock.waitForSleepers(1) }
          if number.isMultiple(of: 2) { await Task.yield() }
          waiter.cancel()
          await waiter.value
        }
      }
    }
    #expect(clock.sleeperCount == 0)
  }

  @Test("However sleeps, cancellations and time cross, each sleeper goes on once")
  func races() async {
    // At the same time: each round waits several times for a turn among the tasks of all tests.
    await withTaskGroup { group in
      for _ in 0..<50 { group.addTask { await Self.race() } }
    }
  }

  private static func race() async {
    let (clock, ended) = (VirtualClock(), Locked(0))
    await withTaskGroup { group in
      for number in 0..<40 {
        group.addTask {
          let sleeper = Task {
            try? await clock.sleep(for: .milliseconds(number % 7))
            ended.increment()
          }
          if number % 2 == 0 { sleeper.cancel() }
          clock.advance(by: .milliseconds(1))
          if number % 3 == 0 { clock.advanceToNext() }
          if number % 2 == 0 { await sleeper.value }
        }
      }
    }
    while ended.current < 40 {
      clock.advanceToNext()
      await Task.yield()
    }
    #expect(clock.sleeperCount == 0)
  }
}
