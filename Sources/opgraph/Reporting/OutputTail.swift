/// The end of an output, of which the rest is forgotten.
struct OutputTail: Sendable {
  /// The most bytes that are kept.
  let limit: Int
  /// At most twice the limit, so that not every piece moves them.
  private var kept: [UInt8] = []
  private(set) var totalCount = 0

  init(limit: Int) {
    self.limit = limit
  }

  mutating func append(_ bytes: ArraySlice<UInt8>) {
    totalCount += bytes.count
    kept += bytes.suffix(limit)
    if kept.count > 2 * limit { kept.removeFirst(kept.count - limit) }
  }

  var bytes: ArraySlice<UInt8> { kept.suffix(limit) }
  /// Whether something before them is missing.
  var isCut: Bool { totalCount > limit }

  /// The last lines, without their line breaks; the first one may lack its start.
  func lines(_ count: Int) -> [ArraySlice<UInt8>] {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.suffix(count)
  }
}
