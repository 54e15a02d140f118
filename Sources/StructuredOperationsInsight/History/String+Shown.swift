extension String {
  /// At most so many Unicode scalars, of which the last is an ellipsis where there are more.
  ///
  /// Not characters, one of which may have any number of combining marks.
  package func shown(_ count: Int) -> String {
    let scalars = unicodeScalars
    guard let last = scalars.index(startIndex, offsetBy: count - 1, limitedBy: endIndex), last < endIndex,
      scalars.index(after: last) < endIndex
    else { return self }
    return String(scalars[..<last]) + "…"
  }
}
