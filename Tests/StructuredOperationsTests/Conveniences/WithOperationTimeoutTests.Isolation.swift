import Dispatch
import TestSupport
import Testing

import class StructuredOperationsTesting.VirtualClock

@testable import StructuredOperations

extension WithOperationTimeoutTests {
  @Suite("Isolation of the closure", .timeLimit(.minutes(5)), .hangGuard)
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

    /// One thread, which can be kept busy.
    private final class Thread: SerialExecutor {
      private let queue = DispatchQueue(label: "busy")

      func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
      }
    }

    private actor Busy {
      private let thread = Thread()

      nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

      func work(on clock: VirtualClock) async throws {
        try await withOperationTimeout(.seconds(5), clock: clock) {
          while !Task.isCancelled {}
        }
      }
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
