import TestSupport
import Testing

import class StructuredOperationsTesting.SeededExecutor
import class StructuredOperationsTesting.VirtualClock

@testable import StructuredOperations

@Suite("withOperationRetry", .timeLimit(.minutes(15)), .hangGuard)
struct WithOperationRetryTests {
  private let clock = VirtualClock()

  /// When each attempt began that a policy allows, counted from the first.
  private func beginnings(_ policy: OperationRetryPolicy, seed: UInt64 = 0) throws -> [Duration] {
    let clock = VirtualClock()
    return try SeededExecutor(seed: seed, clock: clock).run {
      let start = clock.now
      var beginnings: [Duration] = []
      await #expect(throws: Failure(code: policy.attempts)) {
        try await withOperationRetry(policy, clock: clock) { attempt in
          beginnings.append(start.duration(to: clock.now))
          throw Failure(code: attempt)
        }
      }
      return beginnings
    }
  }

  @Test("The first success ends it; attempts are numbered from 1")
  func success() async throws {
    var attempts: [Int] = []
    let value = try await withOperationRetry(.immediate(attempts: 5)) { attempt in
      attempts.append(attempt)
      if attempt < 3 { throw Failure() }
      return attempt * 10
    }
    #expect(value == 30 && attempts == [1, 2, 3])
  }

  @Test("The closure may take no parameter")
  func noParameter() async throws {
    var count = 0
    let value = try await withOperationRetry(.immediate(attempts: 3)) {
      count += 1
      if count < 3 { throw Failure() }
      return 42
    }
    #expect(value == 42)
  }

  @Test("Each pause lasts as long as the policy says, and the last error is thrown")
  func pauses() throws {
    #expect(try beginnings(.immediate(attempts: 3)) == [.zero, .zero, .zero])
    #expect(try beginnings(.constant(.seconds(3), attempts: 3)) == [.zero, .seconds(3), .seconds(6)])
    let exponential = OperationRetryPolicy.exponential(from: .seconds(1), upTo: .seconds(3), attempts: 5)
    #expect(try beginnings(exponential) == [0, 1, 3, 6, 9].map { .seconds($0) })
  }

  @Test("Jitter repeats by the seed of the executor, and stays within its part")
  func jitter() throws {
    let policy = OperationRetryPolicy.exponential(
      from: .seconds(10), factor: 1, upTo: .seconds(10), attempts: 9, jitter: 0.2)
    let runs = try (UInt64(0)..<20).map { try beginnings(policy, seed: $0) }
    #expect(try (UInt64(0)..<20).map { try beginnings(policy, seed: $0) } == runs)
    #expect(Set(runs).count == 20)
    for run in runs {
      let pauses = zip(run, run.dropFirst()).map { $1 - $0 }
      #expect(pauses.allSatisfy { $0 >= .seconds(8) && $0 <= .seconds(10) } && Set(pauses).count > 1)
    }
  }

  @Test("An error that is not worth another attempt is thrown, and the condition is asked only where one is left")
  func condition() async {
    var asked: [Failure] = []
    let isWorth: (any Error) -> Bool = { error in
      if let failure = error as? Failure { asked.append(failure) }
      return (error as? Failure)?.code != 3
    }
    await #expect(throws: Failure(code: 3)) {
      try await withOperationRetry(.immediate(attempts: 9), while: isWorth) { throw Failure(code: $0) }
    }
    await #expect(throws: Failure(code: 12)) {
      try await withOperationRetry(.immediate(attempts: 2), while: isWorth) { throw Failure(code: $0 + 10) }
    }
    await #expect(throws: CancellationError.self) {
      try await withOperationRetry(.immediate(attempts: 2), while: isWorth) { throw CancellationError() }
    }
    #expect(asked.map(\.code) == [1, 2, 3, 11])
  }

  @Test("A CancellationError is never followed by another attempt")
  func cancellationError() async {
    var count = 0
    await #expect(throws: CancellationError.self) {
      try await withOperationRetry(.constant(.seconds(5), attempts: 9), clock: clock, while: { _ in true }) {
        count += 1
        throw CancellationError()
      }
    }
    #expect(count == 1)
  }

  @Test("A pause ends with the cancellation of its task, as CancellationError")
  func cancelledInPause() async {
    let count = Locked(0)
    let task = Task { [clock] in
      try await withOperationRetry(.constant(.seconds(5), attempts: 9), clock: clock) {
        count.increment()
        throw Failure()
      }
    }
    await clock.waitForSleepers(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(count.current == 1 && clock.sleeperCount == 0)
  }

  @Test("A pause of nothing does not sleep, and is a point of cancellation", arguments: [true, false])
  func pauseOfNothing(isCancelled: Bool) async {
    let task = Task { [clock] in
      try await withOperationRetry(
        .constant(.zero, attempts: 3), clock: clock,
        while: { _ in
          if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
          return true
        }
      ) { attempt in
        throw Failure(code: attempt)
      }
    }
    if isCancelled {
      await #expect(throws: CancellationError.self) { try await task.value }
    } else {
      await #expect(throws: Failure(code: 3)) { try await task.value }
    }
  }

  @Test("An attempt that fails in a cancelled task is the last, and its own error is thrown without a pause")
  func cancelledInAttempt() async {
    let begun = Gate()
    let task = Task { [clock] in
      try await withOperationRetry(.constant(.seconds(5), attempts: 9), clock: clock) { attempt in
        begun.open()
        await untilCancelled()
        throw Failure(code: attempt)
      }
    }
    await begun.wait()
    task.cancel()
    await #expect(throws: Failure(code: 1)) { try await task.value }
  }

  private actor Account {
    private var balance = 1

    func doubled() async throws -> Int {
      try await withOperationRetry(.immediate(attempts: 3)) { attempt in
        self.assertIsolated()
        balance *= 2
        await Task.yield()
        self.assertIsolated()
        if attempt < 3 { throw Failure() }
      }
      return balance
    }
  }

  @Test("The closure runs on the caller's actor, and may use its state")
  func isolation() async throws {
    #expect(try await Account().doubled() == 8)
  }
}
