public import StructuredOperations

/// The reason why a run of a ``SeededExecutor`` was stopped.
public enum SeededExecutorError: Error, Sendable {
  /// No job was left, but the closure had not ended: it waits for something that never happens or runs on another
  /// executor.
  ///
  /// `explanations` tells why the operations in queues that were made with the executor have not finished, those of earlier runs
  /// included; queues without any are left out. The closure need not wait for these operations.
  case stalled(seed: UInt64, steps: Int, explanations: [QueueExplanation])
  /// The same, while tasks slept on other clocks than the executor's, for which a run does not wait.
  ///
  /// Each of `sleeps` tells what for, and the type of the clock: that of a time-out, of a pause between attempts, of the
  /// rate or the suspension of a queue. The closure need not wait for these tasks.
  case asleep(seed: UInt64, steps: Int, sleeps: [String], explanations: [QueueExplanation])
  /// The step limit was reached, and something was left to do: for the closure, or for what it has started, which goes on
  /// after a closure that has returned, too.
  case tooManySteps(seed: UInt64, steps: Int)
}

extension SeededExecutorError: Hashable {
  /// Two errors are equal if they are the same case with the same seed and steps.
  ///
  /// Sleeps and explanations are not compared: they may name queues by their default names, whose numbers differ between runs.
  ///
  /// - Parameters:
  ///   - one: An error.
  ///   - other: Another one.
  public static func == (one: Self, other: Self) -> Bool {
    switch (one, other) {
    case (.stalled(let seed, let steps, _), .stalled(let otherSeed, let otherSteps, _)),
      (.asleep(let seed, let steps, _, _), .asleep(let otherSeed, let otherSteps, _, _)),
      (.tooManySteps(let seed, let steps), .tooManySteps(let otherSeed, let otherSteps)):
      (seed, steps) == (otherSeed, otherSteps)
    case (.stalled, _), (.asleep, _), (.tooManySteps, _): false
    }
  }

  /// Hashes the seed and the steps.
  ///
  /// - Parameter hasher: Gets what is compared.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .stalled(let seed, let steps, _), .asleep(let seed, let steps, _, _), .tooManySteps(let seed, let steps):
      hasher.combine(seed)
      hasher.combine(steps)
    }
  }
}

extension SeededExecutorError: CustomStringConvertible {
  /// The reason, and the seed that reproduces the run.
  public var description: String {
    switch self {
    case .stalled(let seed, let steps, let explanations):
      Self.stall(seed, steps, explanations)
    case .asleep(let seed, let steps, let sleeps, let explanations):
      Self.stall(
        seed, steps, explanations,
        asleep: "\nAsleep on other clocks than that of `SeededExecutor(seed:clock:)`: "
          + sleeps.joined(separator: "; ") + ".")
    case .tooManySteps(let seed, let steps):
      "Seed \(seed): stopped after \(steps) steps. The closure, or what it has started, goes on and on, or "
        + "needs a higher limit."
    }
  }

  private static func stall(
    _ seed: UInt64,
    _ steps: Int,
    _ explanations: [QueueExplanation],
    asleep: String = ""
  ) -> String {
    "Seed \(seed): stalled after \(steps) steps. Nothing is left to run and the closure has not ended; what it waits "
      + "for never comes, or runs on another executor, as in a queue that was made without this one, in `Task { }` or "
      + "in `Task.sleep`." + asleep + explanations.map { "\n\($0)" }.joined()
  }
}
