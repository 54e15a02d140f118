import Testing

@testable import opgraph

@Suite("OutputText")
struct OutputTextTests {
  /// The text for pieces of outputs, and for the ends of commands where there is none.
  private func text(_ mode: RunOptions.OutputMode, _ pieces: [(String, String?)]) -> String {
    var output = OutputText(mode, style: TextStyle(isColored: false))
    var text: [UInt8] = []
    for (id, piece) in pieces {
      if let piece {
        output.write(Array(piece.utf8)[...], of: id, to: &text)
      } else {
        output.finish(id, to: &text)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  @Test("With a prefix, only whole lines are written, each after the id of its command")
  func prefixed() {
    let pieces: [(String, String?)] = [
      ("a", "one\ntw"), ("b", "x"), ("a", "o\n\nthree"), ("b", "y\n"), ("a", nil), ("b", nil),
    ]
    #expect(text(.prefixed, pieces) == "a: one\na: two\na: \nb: xy\na: three\n")
  }

  @Test("A line without an end is broken in the end, so that it does not fill the memory")
  func endless() {
    let piece = String(repeating: "x", count: OutputText.lineLimit / 2 + 1)
    #expect(text(.prefixed, [("a", piece), ("a", piece), ("a", "y\n")]) == "a: \(piece)\(piece)\na: y\n")
  }

  @Test("As it comes, it is written as it comes, but for the line break at the end")
  func live() {
    #expect(text(.live, [("a", "on"), ("b", "x\n"), ("a", "e"), ("a", nil), ("b", nil)]) == "onx\ne\n")
  }
}
