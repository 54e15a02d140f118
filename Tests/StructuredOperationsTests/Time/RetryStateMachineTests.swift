import Testing

@testable import StructuredOperations

@Suite("RetryStateMachine")
struct RetryStateMachineTests {
  /// All pauses of a policy.
  private func pauses(_ policy: OperationRetryPolicy, shortenedBy part: Double = 0) -> [Duration] {
    var machine = RetryStateMachine(policy)
    var pauses: [Duration] = []
    while machine.failed(.error) == .askCondition { pauses.append(machine.retry(shortenedBy: part)) }
    return pauses
  }

  @Test("There are as many attempts as the policy says, numbered from 1", arguments: [1, 2, 7])
  func attempts(count: Int) {
    var machine = RetryStateMachine(.immediate(attempts: count))
    for attempt in 1..<count {
      #expect(machine.attempt == attempt)
      #expect(machine.failed(.error) == .askCondition)
      #expect(machine.retry() == .zero)
    }
    #expect(machine.attempt == count)
    #expect(machine.failed(.error) == .giveUp)
  }

  @Test("After a cancellation, and in a cancelled task, there is no other attempt")
  func cancelled() {
    let machine = RetryStateMachine(.immediate(attempts: 5))
    #expect(machine.failed(.cancellation) == .giveUp)
    #expect(machine.failed(.inCancelledTask) == .giveUp)
    #expect(machine.failed(.error) == .askCondition)
  }

  @Test("Constant pauses are all the same")
  func constant() {
    #expect(pauses(.constant(.seconds(3), attempts: 4)) == Array(repeating: .seconds(3), count: 3))
  }

  @Test(
    "Exponential pauses grow by the factor, up to the longest",
    arguments: [
      (2, 1_000, [100, 200, 400, 800, 1_000, 1_000]), (3, 100_000, [100, 300, 900, 2_700, 8_100, 24_300]),
      (1, 1_000, [100, 100, 100, 100, 100, 100]), (1.5, 400, [100, 150, 225, 337.5, 400, 400]),
      (2, 50, [50, 50, 50, 50, 50, 50]), (2, 800, [100, 200, 400, 800, 800, 800]),
    ] as [(Double, Int, [Double])])
  func exponential(factor: Double, longest: Int, expected: [Double]) {
    let policy = OperationRetryPolicy.exponential(
      from: .milliseconds(100), factor: factor, upTo: .milliseconds(longest), attempts: 7)
    #expect(pauses(policy) == expected.map { .microseconds(Int($0 * 1_000)) })
  }

  @Test("A whole factor multiplies without rounding")
  func exact() {
    let odd = Duration.nanoseconds(123_456_789_123_456_789)
    #expect(pauses(.exponential(from: odd, factor: 3, upTo: odd * 100, attempts: 4)) == [odd, odd * 3, odd * 9])
  }

  @Test("The factor is 2 and there is no jitter unless the policy says so")
  func defaults() {
    let policy = OperationRetryPolicy.exponential(from: .seconds(1), upTo: .seconds(9), attempts: 3)
    #expect(policy == .exponential(from: .seconds(1), factor: 2, upTo: .seconds(9), attempts: 3, jitter: 0))
    #expect(!RetryStateMachine(policy).hasJitter)
  }

  @Test(
    "However many attempts there are, and however large the numbers, nothing overflows",
    arguments: [1, 1.000_1, 1.5, 2, 1e300, .greatestFiniteMagnitude],
    [.seconds(60), .seconds(Int64.max), Duration(attoseconds: .max)] as [Duration])
  func manyAttempts(factor: Double, longest: Duration) throws {
    for first in [Duration.zero, .nanoseconds(1), .seconds(7), longest] {
      let pauses = pauses(.exponential(from: first, factor: factor, upTo: longest, attempts: 300, jitter: 1))
      #expect(pauses.count == 299)
      #expect(pauses.allSatisfy { $0 <= longest })
      #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 <= $1 })
      #expect(try #require(pauses.last) > .zero || first == .zero)
    }
  }

  @Test("Jitter shortens a pause by up to that part, and the next one grows from the whole pause")
  func jitter() {
    let policy = OperationRetryPolicy.exponential(from: .seconds(8), upTo: .seconds(32), attempts: 5, jitter: 0.25)
    #expect(RetryStateMachine(policy).hasJitter)
    #expect(pauses(policy, shortenedBy: 0) == [8, 16, 32, 32].map { .seconds($0) })
    #expect(pauses(policy, shortenedBy: 0.5) == [7, 14, 28, 28].map { .seconds($0) })
    #expect(pauses(policy, shortenedBy: 1) == [6, 12, 24, 24].map { .seconds($0) })
  }

  @Test("With the whole pause as jitter it may be nothing, and never negative")
  func wholeJitter() {
    for nanoseconds in 1...1_000 {
      let policy = OperationRetryPolicy.exponential(
        from: .nanoseconds(nanoseconds * 7_777_777_777), upTo: .seconds(100_000), attempts: 9, jitter: 1)
      #expect(pauses(policy, shortenedBy: 1).allSatisfy { $0 >= .zero && $0 < .nanoseconds(1) })
    }
  }
}
