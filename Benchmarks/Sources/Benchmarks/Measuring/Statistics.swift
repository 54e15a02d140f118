extension [Double] {
  /// The median; NaN if there are no values or one of them is NaN.
  var median: Double {
    guard !isEmpty, allSatisfy(\.isFinite) else { return .nan }
    let sorted = sorted()
    let middle = count / 2
    return count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  /// The value that a given fraction of all values does not exceed; NaN if there are no values.
  ///
  /// - Parameter part: The fraction, from 0 to 1.
  func percentile(_ part: Double) -> Double {
    guard !isEmpty else { return .nan }
    let rank = Int((Double(count) * part).rounded(.up))
    return sorted()[Swift.min(Swift.max(rank, 1), count) - 1]
  }
}
