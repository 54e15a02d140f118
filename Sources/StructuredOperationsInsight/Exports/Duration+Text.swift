extension Duration {
  /// The same, but 292 years at most, in either direction: what 64 bits of nanoseconds hold.
  ///
  /// So sums over all spans of a history do not overflow, nor do the differences of its times.
  var cutOff: Duration { min(max(self, .nanoseconds(Int64.min)), .nanoseconds(Int64.max)) }

  /// Rounded towards zero, and cut off.
  var nanoseconds: Int64 {
    // The components of a longer duration would not fit either.
    let (seconds, attoseconds) = cutOff.components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  /// In a unit that suits the size, with three digits or more: `1.25 s`, `340 ms`, `7.05 µs`.
  var text: String {
    let nanoseconds = nanoseconds
    for (unit, size) in [("s", 1_000_000_000), ("ms", 1_000_000), ("µs", 1_000)] as [(String, Int64)]
    where nanoseconds >= size {
      let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: size)
      if whole >= 100 || rest == 0 { return "\(whole) \(unit)" }
      let decimals = String(size + rest).dropFirst().prefix(whole >= 10 ? 1 : 2)
      return "\(whole).\(decimals) \(unit)"
    }
    return nanoseconds == 0 ? "0 s" : "\(nanoseconds) ns"
  }
}
