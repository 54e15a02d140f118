/// Takes times by a clock that only goes forward.
struct Stopwatch {
  private static let clock = ContinuousClock()
  private let start = clock.now

  /// Since the stopwatch was made.
  var nanoseconds: Double { (Self.clock.now - start) / .nanoseconds(1) }

  /// How long a piece of work takes, in nanoseconds.
  static func time(_ work: () async -> Void) async -> Double {
    let stopwatch = Stopwatch()
    await work()
    return stopwatch.nanoseconds
  }

  /// How long a piece of work takes that holds the thread, in nanoseconds.
  static func time(_ work: () -> Void) -> Double {
    let stopwatch = Stopwatch()
    work()
    return stopwatch.nanoseconds
  }
}
