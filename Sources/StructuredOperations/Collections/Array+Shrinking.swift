extension Array {
  /// Gives back memory where the array has been much longer than it is.
  ///
  /// Amortised O(1) for each element that was removed.
  @inline(__always)
  mutating func shrinkIfSparse() {
    if capacity > 1_024, capacity / 4 > count { shrink() }
  }

  private mutating func shrink() {
    var elements: [Element] = []
    elements.reserveCapacity(2 * count)
    elements += self
    self = elements
  }
}
