// Elements are moved where a copy would retain what they hold.
extension Array {
  /// Empties the array and returns its elements.
  mutating func removeEach() -> [Element] {
    let elements = self
    self = []
    return elements
  }

  /// As `reverse()`, which copies each element.
  mutating func reverseInPlace() { withUnsafeMutableBufferPointer { $0.reverse() } }
}
