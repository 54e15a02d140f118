extension ProgramGenerator {
  /// What programs may contain.
  struct Features: Sendable, CustomStringConvertible {
    /// Bodies may wait for operations, and lend their slots meanwhile.
    var bodiesWait = false
    /// Operations ahead of a barrier may depend on operations behind it, which then pass it.
    var passesBarriers = false
    /// Operations may have concurrency limits.
    var usesLimits = false
    /// Queues may have start rates and be suspended for some time; bodies may sleep, have time-outs and try again.
    ///
    /// Only under seeds, where time is virtual.
    var takesTime = false

    var description: String {
      ".init(bodiesWait: \(bodiesWait), passesBarriers: \(passesBarriers), usesLimits: \(usesLimits), "
        + "takesTime: \(takesTime))"
    }
  }
}
