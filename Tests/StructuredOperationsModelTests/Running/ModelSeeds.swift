import Foundation

/// The seeds of random programs: `MODEL_SEEDS` says how many there are, and `MODEL_FIRST` which one is the first.
enum ModelSeeds {
  /// - Parameter count: How many it are by default.
  static func range(_ count: UInt64) -> Range<UInt64> {
    let first = number("MODEL_FIRST", 0)
    return first..<(first + number("MODEL_SEEDS", count))
  }

  private static func number(_ name: String, _ other: UInt64) -> UInt64 {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) } ?? other
  }
}
