/// Random numbers that depend on a seed only, on every platform.
///
/// The algorithm is SplitMix64, which is not cryptographically secure.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Makes a generator.
  ///
  /// - Parameter seed: The same seed gives the same numbers.
  public init(seed: UInt64) {
    // Tests use consecutive seeds, which must not give consecutive states.
    state = seed &* 0xBF58_476D_1CE4_E5B9 &+ 1
  }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// True with a probability of 1 in `count`.
  package mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
