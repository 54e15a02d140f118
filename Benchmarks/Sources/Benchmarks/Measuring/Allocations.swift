import CCounters

/// Counts what all threads of the process allocate, exactly; on Linux alone.
///
/// Never while something is timed: counting takes longer, and the longer the more there is to count.
enum Allocations {
  /// How many blocks a piece of work asks for; not a number where that cannot be counted.
  static func count(_ work: () async -> Void) async -> Double {
    guard counters_canCountAllocations() else { return .nan }
    let before = counters_allocationCount()
    counters_setCounting(true)
    await work()
    counters_setCounting(false)
    return Double(counters_allocationCount() - before)
  }

  /// How many bytes are held at the end of a piece of work that were not at its beginning; not a number where that
  /// cannot be counted.
  ///
  /// The result of the work is what holds them, and given back for whatever is to become of it.
  static func held<Result>(_ work: () async -> Result) async -> (bytes: Double, result: Result) {
    guard counters_canCountAllocations() else { return (.nan, await work()) }
    let before = counters_liveBytes()
    counters_setCounting(true)
    let result = await work()
    counters_setCounting(false)
    return (Double(counters_liveBytes() - before), result)
  }
}
