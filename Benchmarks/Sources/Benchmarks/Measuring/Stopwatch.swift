/// Measures time with a monotonic clock.
struct Stopwatch {
  private static let clock = ContinuousClock()
  private let start = clock.now

  /// The time since the stopwatch was created.
  var nanoseconds: Double { (Self.clock.now - start) / .nanoseconds(1) }

  /// The duration of a piece of work, in nanoseconds.
  static func time(_ work: () async -> Void) async -> Double {
    let stopwatch = Stopwatch()
    await work()
    return stopwatch.nanoseconds
  }

  /// The duration of a piece of synchronous work, in nanoseconds.
  static func time(_ work: () -> Void) -> Double {
    let stopwatch = Stopwatch()
    work()
    return stopwatch.nanoseconds
  }
}
