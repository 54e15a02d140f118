/// The reason why a run of a ``SeededExecutor`` was stopped.
public enum SeededExecutorError: Error, Hashable, Sendable {
  /// No job was left, but the closure had not ended: it waits for something that never happens or runs on another
  /// executor.
  case stalled(seed: UInt64, steps: Int)
  /// The same, while tasks slept on other clocks than the executor's, for which a run does not wait.
  ///
  /// Each of `sleeps` tells what for, and the type of the clock: that of a time-out, of a pause between attempts, of the
  /// rate or the suspension of a queue.
  case asleep(seed: UInt64, steps: Int, sleeps: [String])
  /// The step limit was reached.
  case tooManySteps(seed: UInt64, steps: Int)
}

extension SeededExecutorError: CustomStringConvertible {
  /// The reason, and the seed that reproduces the run.
  public var description: String {
    switch self {
    case .stalled(let seed, let steps):
      "Seed \(seed): stalled after \(steps) steps. Nothing is left to run and the closure has not ended; what it waits "
        + "for never comes, or runs on another executor."
    case .asleep(let seed, let steps, let sleeps):
      "Seed \(seed): stalled after \(steps) steps. Nothing is left to run and the closure has not ended. Asleep on other "
        + "clocks than the executor's: \(sleeps.joined(separator: "; "))."
    case .tooManySteps(let seed, let steps):
      "Seed \(seed): stopped after \(steps) steps. The closure goes on and on, or needs a higher limit."
    }
  }
}
