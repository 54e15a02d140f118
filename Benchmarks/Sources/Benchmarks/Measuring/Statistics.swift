extension [Double] {
  /// The one in the middle, or the mean of the two there; not a number where there is none, or one is none.
  var median: Double {
    guard !isEmpty, allSatisfy(\.isFinite) else { return .nan }
    let sorted = sorted()
    let middle = count / 2
    return count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  /// The value that this part of all values does not exceed; not a number where there is none.
  ///
  /// - Parameter part: From 0 to 1.
  func percentile(_ part: Double) -> Double {
    guard !isEmpty else { return .nan }
    let rank = Int((Double(count) * part).rounded(.up))
    return sorted()[Swift.min(Swift.max(rank, 1), count) - 1]
  }
}
