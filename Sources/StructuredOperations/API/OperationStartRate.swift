/// How many operations of a queue may begin within a stretch of time.
///
/// ```swift
/// let queue = AsyncOperationQueue(
///   startRate: OperationStartRate(20, per: .seconds(1)))
/// ```
///
/// In any stretch of that length, its end not included, at most that many begin: the stretch slides, and what was not used
/// is not saved up. They may begin all at once. For even spacing allow one at a time:
/// `OperationStartRate(1, per: .milliseconds(50))`.
///
/// A queue keeps the times of the latest starts, as many as the rate counts: a rate of millions takes memory for millions. For any
/// number a queue has no rate.
public struct OperationStartRate: Hashable, Sendable {
  /// How many may begin; at least 1.
  public let count: Int
  /// The length of the stretch; more than zero.
  public let duration: Duration

  /// Makes a rate.
  ///
  /// - Parameters:
  ///   - count: How many may begin. Anything below 1 is a programming error.
  ///   - duration: The length of the stretch. Zero, and anything below, is a programming error.
  public init(_ count: Int, per duration: Duration) {
    // Not preconditions, whose messages a release build would not print.
    if count < 1 { fatalError("\(count) is no number of starts for a rate: expected at least 1.") }
    if duration <= .zero { fatalError("\(duration) is no stretch of time for a start rate: expected more than zero.") }
    self.count = count
    self.duration = duration
  }

  /// The same, but so long at most that it can be added to the time of a clock.
  var stretch: Duration { duration.addable }
}
