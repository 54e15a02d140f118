/// What a random test found; it carries the seed that repeats it.
///
/// The loops of random tests throw this, since an expectation for each of a million steps takes too long.
struct ModelMismatch: Error, CustomStringConvertible {
  let description: String

  /// - Throws: The mismatch where the values differ.
  static func check<Value: Equatable>(
    _ value: Value,
    _ expected: Value,
    _ what: @autoclosure () -> String,
    seed: Int,
    step: Int
  ) throws {
    if value == expected { return }
    throw ModelMismatch(description: "seed \(seed), step \(step): \(what()) is \(value), expected \(expected)")
  }
}
