/// The numbers that a key accepts; options have the same maximum.
struct NumberRange: Sendable {
  /// Far above what makes sense, and far below what a duration or an `Int` holds.
  static let maximum = 1_000_000_000.0

  let minimum: Double
  /// Whether the minimum itself is not accepted.
  var isExclusive = false
  var isWhole = false

  static let timeout = NumberRange(minimum: 0, isExclusive: true)
  static let delay = NumberRange(minimum: 0)
  static let factor = NumberRange(minimum: 1)
  static let count = NumberRange(minimum: 1, isWhole: true)
  static let retries = NumberRange(minimum: 0, isWhole: true)

  func contains(_ number: Double) -> Bool {
    (isExclusive ? number > minimum : number >= minimum) && number <= Self.maximum
      && (!isWhole || number == number.rounded())
  }

  /// In words, as in "expected a number above 0".
  var noun: String {
    "a \(isWhole ? "whole " : "")number \(isExclusive ? "above" : "from") \(Int(minimum))\(isExclusive ? "" : " up")"
  }
}
