// What is asked without the lock. One byte each, since every operation has them.
extension OperationStorage {
  /// What never changes.
  struct Flags: OptionSet, Sendable {
    let rawValue: UInt8

    static let isAsynchronous = Self(rawValue: 1 << 0)
    /// A caller waits to run the body in its own task.
    static let runsInCaller = Self(rawValue: 1 << 1)
    static let isBlocking = Self(rawValue: 1 << 2)
    static let hasExecutor = Self(rawValue: 1 << 3)
  }

  /// What stays the case once it is.
  struct Marks: OptionSet, Sendable {
    let rawValue: UInt8

    /// Its outcome is to outlive it, for the bodies of others that read the output.
    static let keepsOutput = Self(rawValue: 1 << 0)
    /// It had an observer of events.
    static let wasObserved = Self(rawValue: 1 << 1)
    /// It had concurrency limits.
    static let hadLimits = Self(rawValue: 1 << 2)
    /// Its body reads the outputs of dependencies, or their outcomes.
    static let readsOutputs = Self(rawValue: 1 << 3)
  }
}
