/// Indices below 64, without memory of their own.
struct SmallIndexSet: Equatable, Sendable {
  private var bits: UInt64 = 0

  /// One more than the largest index.
  static var capacity: Int { UInt64.bitWidth }

  var isEmpty: Bool { bits == 0 }
  var count: Int { bits.nonzeroBitCount }

  func contains(_ index: Int) -> Bool { bits & 1 << index != 0 }

  mutating func insert(_ index: Int) {
    precondition(index < Self.capacity, "index \(index) in a set of small indices")
    bits |= 1 << index
  }
}
