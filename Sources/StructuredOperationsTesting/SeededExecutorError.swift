/// The reason why a run of a ``SeededExecutor`` was stopped.
public enum SeededExecutorError: Error, Hashable, Sendable {
  /// No job was left, but the closure had not ended: it waits for something that never happens or runs on another
  /// executor.
  case stalled(seed: UInt64, steps: Int)
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
    case .tooManySteps(let seed, let steps):
      "Seed \(seed): stopped after \(steps) steps. The closure goes on and on, or needs a higher limit."
    }
  }
}
