/// Finds the name that was probably meant by an unknown one.
enum NearName {
  /// The most characters of a name that was typed: the search takes their square.
  private static let lengthLimit = 200

  /// The candidate with the fewest edits from `name`, the first of several; nil if none is near.
  ///
  /// Up to a third of the characters may differ, of short names one; of a name that is one character, none. None is near a name of
  /// more than 200 characters.
  static func of(_ name: String, in candidates: some Sequence<String>) -> String? {
    let target = Array(name.unicodeScalars.prefix(lengthLimit + 1))
    if target.count > lengthLimit { return nil }
    var limit = min(max(1, target.count / 3), target.count - 1)
    var nearest: String?
    for candidate in candidates where abs(candidate.utf8.count - name.utf8.count) <= 4 * limit {
      guard let distance = distance(target, Array(candidate.unicodeScalars), limit: limit) else { continue }
      nearest = candidate
      limit = distance - 1
    }
    return nearest
  }

  /// The end of a message: `; did you mean "…"?`, or nothing.
  static func suggestion(for name: String, in candidates: some Sequence<String>) -> String? {
    of(name, in: candidates).map { "; did you mean \($0.quoted)?" }
  }

  /// The number of insertions, removals, replacements, and exchanges of neighbours that turn one into the other; nil if
  /// it is above the limit.
  ///
  /// Only the part of the table near its diagonal is computed: what is further away is above the limit.
  static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar], limit: Int) -> Int? {
    guard limit >= 0, abs(a.count - b.count) <= limit else { return nil }
    let far = limit + 1
    var beforeLast: [Int] = []
    var last = (0...b.count).map { min($0, far) }
    for row in 0..<a.count {
      var next = [Int](repeating: far, count: b.count + 1)
      next[0] = min(row + 1, far)
      for column in max(0, row - limit)..<max(0, row - limit, min(b.count, row + limit + 1)) {
        var cost = min(
          last[column] + (a[row] == b[column] ? 0 : 1), last[column + 1] + 1, next[column] + 1)
        if row > 0, column > 0, a[row] == b[column - 1], a[row - 1] == b[column] {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        next[column + 1] = min(cost, far)
      }
      (beforeLast, last) = (last, next)
      // Two rows, since an exchange goes back by two.
      if min(beforeLast.min() ?? far, last.min() ?? far) >= far { return nil }
    }
    return last[b.count] <= limit ? last[b.count] : nil
  }
}
