/// An executor of tests under which a run repeats.
///
/// For that, random numbers have to be its own. And it can tell what a run waits for only if it hears of sleeps, since
/// a clock of the system wakes its sleepers from outside.
package protocol ReproducibleExecutor: TaskExecutor {
  /// The next random number of the run.
  func nextRandomNumber() -> UInt64

  /// Whether a clock is that of the run: the time on any other one is not the same in each run.
  func isOwn(_ clock: any Clock<Duration>) -> Bool

  /// A task that prefers this executor begins to sleep.
  ///
  /// - Returns: What ``sleepEnded(_:)`` gets at the end of that sleep.
  func sleepBegan(_ sleep: OperationSleep) -> Int

  /// A queue was made that runs everything on this executor.
  ///
  /// May be called on any thread. It is not kept: nobody else may hold it.
  func made(_ queue: any AnyObject & Sendable)

  /// May be called on any thread, also after the run.
  func sleepEnded(_ id: Int)
}
