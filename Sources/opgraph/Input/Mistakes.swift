/// Collects what is wrong in a text, so that all of it is told at once.
struct Mistakes: Sendable {
  /// The maximum number of mistakes that are described.
  static let limit = 20

  private var all: [Mistake] = []

  var isEmpty: Bool { all.isEmpty }

  /// - Parameter other: A place that the mistake concerns as well; its line is added to the message.
  mutating func add(
    at offset: Int, other: Int? = nil, _ message: @autoclosure @escaping @Sendable () -> String
  ) {
    add(Mistake(offset: offset, other: other, message: message))
  }

  mutating func add(_ mistake: Mistake) {
    all.append(mistake)
  }

  /// Throws ``InputErrors`` if there are any mistakes: the first ones, in the order of the text.
  func throwIfAny(inText bytes: [UInt8], named file: String) throws {
    guard !all.isEmpty else { return }
    var positions = TextPositions(bytes)
    // By their number as well, since `sort` may exchange mistakes at the same place.
    let sorted = all.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
    let shown = sorted.prefix(Self.limit).map { _, mistake in
      var message = mistake.message()
      if let other = mistake.other {
        var others = TextPositions(bytes)
        message += "; the other is on line \(others.position(of: other).line)"
      }
      return InputErrors.Entry(position: positions.position(of: mistake.offset), message: message)
    }
    throw InputErrors(file: file, entries: shown, omitted: all.count - shown.count)
  }
}
