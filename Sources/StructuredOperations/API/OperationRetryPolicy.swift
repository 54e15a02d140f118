/// How often something is tried, and how long the pauses between the attempts are.
///
/// ```swift
/// let page = try await withOperationRetry(
///   .exponential(
///     from: .milliseconds(100), upTo: .seconds(10), attempts: 5)
/// ) {
///   try await fetch(url)
/// }
/// ```
///
/// Attempts are counted in all, the first one included. Values that make no sense stop the program with a message that
/// names them.
public struct OperationRetryPolicy: Hashable, Sendable {
  enum Pauses: Hashable, Sendable {
    case none
    case constant(Duration)
    case exponential(first: Duration, factor: Double, longest: Duration, jitter: Double)
  }

  /// At least 1.
  let attempts: Int
  let pauses: Pauses

  private init(attempts: Int, pauses: Pauses) {
    if attempts < 1 { fatalError("\(attempts) is no number of attempts: expected at least 1.") }
    self.attempts = attempts
    self.pauses = pauses
  }

  /// Tries again at once.
  ///
  /// - Parameter attempts: How often it is tried at most: at least 1.
  public static func immediate(attempts: Int) -> Self { Self(attempts: attempts, pauses: .none) }

  /// Tries again after pauses of one length.
  ///
  /// - Parameters:
  ///   - pause: How long each pause is: not negative.
  ///   - attempts: How often it is tried at most: at least 1.
  public static func constant(_ pause: Duration, attempts: Int) -> Self {
    Self(attempts: attempts, pauses: .constant(checked(pause)))
  }

  /// Tries again after pauses that grow by a factor up to a longest one.
  ///
  /// Jitter has those that failed together try again at different times: a pause is shortened by a random part of itself,
  /// up to `jitter`, and never made longer. With 1 it may be as short as nothing. Under the `SeededExecutor` of
  /// `StructuredOperationsTesting` the random numbers depend on the seed.
  ///
  /// - Parameters:
  ///   - first: How long the pause after the first attempt is: not negative.
  ///   - factor: How many times as long each further pause is: at least 1.
  ///   - longest: How long a pause is at most, the first one too: not negative.
  ///   - attempts: How often it is tried at most: at least 1.
  ///   - jitter: The part of a pause that may be left out: 0 to 1.
  public static func exponential(
    from first: Duration,
    factor: Double = 2,
    upTo longest: Duration,
    attempts: Int,
    jitter: Double = 0
  ) -> Self {
    if !(factor >= 1 && factor.isFinite) {
      fatalError("\(factor) is no factor for pauses: expected a number from 1 on.")
    }
    if !(0...1).contains(jitter) { fatalError("\(jitter) is no jitter: expected a number from 0 to 1.") }
    // 300 thousand million years, so that no product overflows.
    let longest = min(checked(longest), .seconds(Int64.max))
    return Self(
      attempts: attempts,
      pauses: .exponential(first: checked(first), factor: factor, longest: longest, jitter: jitter))
  }

  private static func checked(_ pause: Duration) -> Duration {
    if pause < .zero { fatalError("\(pause) is no pause: expected a duration that is not negative.") }
    return pause
  }
}
