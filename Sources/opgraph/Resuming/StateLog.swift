/// The notes of a graph as the text of its state file: a log, to which lines are added during a run.
///
/// Each line has a checksum. One that is cut off or wrong at the end is what a crash leaves of a write, and is ignored;
/// elsewhere the file is damaged, and nothing in it is believed.
struct StateLog: Sendable {
  /// What is wrong with a text.
  enum Damage: Error, Equatable, CustomStringConvertible {
    case otherVersion
    /// - Parameter line: Counted from 1.
    case damaged(line: Int)

    var description: String {
      switch self {
      case .otherVersion: "is of another version"
      case .damaged(let line): "is damaged in line \(line)"
      }
    }
  }

  private static let magic = "opgraph state "
  private static let header = Array("\(magic)1\n".utf8)

  private(set) var notes: [String: Note] = [:]
  /// How many lines there are behind the header.
  private(set) var lineCount = 0
  /// Whether the last line is to be ignored, so that nothing may be written behind it.
  private(set) var isTorn = false

  /// Without notes, and without a text.
  init() {}

  /// Reads a text.
  ///
  /// Throws ``Damage``; O(n).
  init(_ bytes: [UInt8]) throws {
    guard bytes.starts(with: Self.header) else {
      throw bytes.starts(with: Self.magic.utf8) ? Damage.otherVersion : Damage.damaged(line: 1)
    }
    var rest = bytes[Self.header.count...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let line = rest[..<end]
      rest = rest[(end + 1)...]
      guard apply(line) else {
        isTorn = rest.isEmpty
        if isTorn { return }
        throw Damage.damaged(line: lineCount + 2)
      }
      lineCount += 1
    }
    isTorn = !rest.isEmpty
  }

  /// The shortest text that says the same of the operations with these ids.
  func text(keeping ids: some Sequence<String>) -> [UInt8] {
    ids.reduce(into: Self.header) { text, id in
      if let note = notes[id] { text += Self.line(noting: note, of: id) }
    }
  }

  /// The line for the success of an operation.
  static func line(noting note: Note, of id: String) -> [UInt8] {
    line("+ \(note.number) \(hexadecimal(note.key.high)) \(hexadecimal(note.key.low)) \(id)")
  }

  /// The line that takes back the note of an operation.
  static func line(forgetting id: String) -> [UInt8] {
    line("- \(id)")
  }

  private static func line(_ content: String) -> [UInt8] {
    Array("\(hexadecimal(checksum(content.utf8))) \(content)\n".utf8)
  }

  private static func checksum(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var digest = Digest()
    digest.add(bytes)
    return digest.low
  }

  private static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  /// Takes over a line without its end, and returns whether it is one.
  private mutating func apply(_ line: ArraySlice<UInt8>) -> Bool {
    let space = UInt8(ascii: " ")
    let parts = line.split(separator: space, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, Self.number(parts[0], radix: 16) == Self.checksum(line[parts[1].startIndex...]) else {
      return false
    }
    switch parts[1] {
    case [UInt8(ascii: "-")]:
      notes[String(decoding: parts[2], as: UTF8.self)] = nil
    case [UInt8(ascii: "+")]:
      let fields = parts[2].split(separator: space, maxSplits: 3, omittingEmptySubsequences: false)
      // No run comes to a number that large, and one that did could not go on from there.
      guard fields.count == 4, let number = Self.number(fields[0], radix: 10), number < 1 << 62,
        let high = Self.number(fields[1], radix: 16), let low = Self.number(fields[2], radix: 16)
      else { return false }
      notes[String(decoding: fields[3], as: UTF8.self)] = Note(number: number, key: Digest(high: high, low: low))
    default:
      return false
    }
    return true
  }

  private static func number(_ digits: ArraySlice<UInt8>, radix: Int) -> UInt64? {
    UInt64(String(decoding: digits, as: UTF8.self), radix: radix)
  }
}
