/// Why a run of a ``SeededExecutor`` did not come to its end.
public enum SeededExecutorError: Error, Hashable, Sendable {
  /// The closure has not ended, and no job is left: something waits for what will never come, or for what runs
  /// elsewhere.
  case stalled(seed: UInt64, steps: Int)
  /// As many jobs have been run as were allowed, and there are more.
  case tooManySteps(seed: UInt64, steps: Int)
}

extension SeededExecutorError: CustomStringConvertible {
  /// What happened, with the seed that repeats it.
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
