import CCounters

/// Counts the allocations of all threads of the process, exactly; on Linux alone.
///
/// Not to be used while something is timed: counting makes each allocation slower.
enum Allocations {
  /// The number of blocks that a piece of work allocates; NaN if that cannot be counted.
  static func count(_ work: () async -> Void) async -> Double {
    guard counters_canCountAllocations() else { return .nan }
    let before = counters_allocationCount()
    counters_setCounting(true)
    await work()
    counters_setCounting(false)
    return Double(counters_allocationCount() - before)
  }

  /// The bytes allocated by a piece of work and not freed at its end; NaN if that cannot be counted.
  ///
  /// The work returns the objects that hold them, which are passed on, so that they are freed after the count.
  static func held<Result>(_ work: () async -> Result) async -> (bytes: Double, result: Result) {
    guard counters_canCountAllocations() else { return (.nan, await work()) }
    let before = counters_liveBytes()
    counters_setCounting(true)
    let result = await work()
    counters_setCounting(false)
    return (Double(counters_liveBytes() - before), result)
  }
}
