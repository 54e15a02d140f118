import TestSupport
import Testing

import class StructuredOperationsTesting.VirtualClock

@testable import StructuredOperations

extension WithOperationTimeoutTests {
  @Suite("Isolation of the closure", .timeLimit(.minutes(15)), .hangGuard)
  struct Isolation {
    /// Not `Sendable`.
    private final class Box {
      var count = 0
    }

    private actor Account {
      private var balance = 1

      func doubled() async throws -> Int {
        let box = try await withOperationTimeout(.seconds(3_600), clock: VirtualClock()) {
          self.assertIsolated()
          balance *= 2
          await Task.yield()
          self.assertIsolated()
          let box = Box()
          box.count = balance
          return box
        }
        return box.count
      }
    }

    @Test("It runs on the caller's actor, and may use its state")
    func actors() async throws {
      let account = Account()
      let balances = try await withThrowingTaskGroup { group in
        for _ in 0..<10 { group.addTask { try await account.doubled() } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(balances.max() == 1_024)
    }

    private actor Busy {
      private let executor = ActorExecutor()

      nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

      func work(on clock: VirtualClock) async throws {
        try await withOperationTimeout(.seconds(5), clock: clock) {
          while !Task.isCancelled {}
        }
      }
    }

    /// Not the closure's own isolation, which would have it switch by itself, but that of whoever calls this.
    private nonisolated(nonsending) static func placesOfClosure(
      _ time: Duration,
      _ clock: any Clock<Duration>,
      fails: Bool
    ) async -> [Bool] {
      var places: [Bool] = []
      do {
        try await withOperationTimeout(time, clock: clock) {
          places.append(PlaceProbe.isHere)
          await Task.yield()
          places.append(PlaceProbe.isHere)
          if fails { throw Failure() }
        }
        places.append(PlaceProbe.isHere)
      } catch {
        places.append(PlaceProbe.isHere)
      }
      return places
    }

    @Test(
      "A closure without isolation of its own runs on the caller's actor from its first step, as does what follows",
      arguments: [(.seconds(3_600), VirtualClock()), (.seconds(3_600), ContinuousClock()), (.zero, ContinuousClock())]
        as [(Duration, any Clock<Duration>)], [false, true])
    func callersActor(timeout: (time: Duration, clock: any Clock<Duration>), fails: Bool) async throws {
      for _ in 0..<10 {
        let places = await PlaceProbe().places {
          await Self.placesOfClosure(timeout.time, timeout.clock, fails: fails)
        }
        #expect(places == [true, true, true, true, true])
      }
      let body = await AsyncOperationQueue().add {
        await PlaceProbe().places { await Self.placesOfClosure(timeout.time, timeout.clock, fails: fails) }
      }
      #expect(try await body.value == [true, true, true, true, true])
      #expect(await Self.placesOfClosure(timeout.time, timeout.clock, fails: fails) == [false, false, false])
    }

    @Test("A closure that keeps its actor busy is cancelled nevertheless")
    func busy() async {
      let clock = VirtualClock()
      let task = Task { try await Busy().work(on: clock) }
      await clock.waitForSleepers(1)
      clock.advance(by: .seconds(5))
      await #expect(throws: OperationError.timedOut(.seconds(5))) { try await task.value }
    }

    @Test("On the main actor, too")
    @MainActor
    func mainActor() async throws {
      var count = 0
      try await withOperationTimeout(.seconds(3_600), clock: VirtualClock()) {
        MainActor.assertIsolated()
        count += 1
        await Task.yield()
        MainActor.assertIsolated()
        count += 1
      }
      #expect(count == 2)
      try await Self.assertMainActor()
    }

    private nonisolated(nonsending) static func assertMainActor() async throws {
      try await withOperationTimeout(.seconds(3_600), clock: VirtualClock()) {
        MainActor.assertIsolated()
        await Task.yield()
        MainActor.assertIsolated()
      }
      MainActor.assertIsolated()
    }

    @Test("It may use local variables and what is not Sendable, and return it")
    func local() async throws {
      let box = Box()
      var count = 0
      let result = try await withOperationTimeout(.seconds(3_600), clock: VirtualClock()) {
        box.count += 1
        await Task.yield()
        count += 1
        return box
      }
      result.count += 1
      #expect(box.count == 2 && count == 1)
    }

    @Test("Many callers at once each get their own results")
    func many() async throws {
      let clock = VirtualClock()
      let sum = try await withThrowingTaskGroup { group in
        for number in 0..<500 {
          group.addTask {
            let box = Box()
            return try await withOperationTimeout(.seconds(1), clock: clock) {
              box.count = number
              await Task.yield()
              return box.count
            }
          }
        }
        return try await group.reduce(0, +)
      }
      #expect(sum == 499 * 250)
      #expect(clock.sleeperCount == 0)
    }
  }
}
