import Testing

@testable import opgraph

@Suite("Display width")
struct DisplayWidthTests {
  @Test(
    "Text has the width that a terminal gives it",
    arguments: [
      ("", 0), ("compile a.c", 11), ("für", 3), ("fu\u{308}r", 3), ("日本語", 6), ("ｶﾅ", 2), ("ＡＢ", 4), ("한국", 4),
      ("\u{1112}\u{1161}\u{11AB}", 2), ("😀", 2), ("👨‍👩‍👧‍👦", 2), ("👍🏽", 2), ("🇩🇪", 2), ("❤", 1), ("❤️", 2), ("1️⃣", 2), ("✅", 2),
      ("©", 1),
      ("a\u{200B}b", 2), ("a\u{200D}b", 2), ("e\u{301}\u{302}\u{303}", 1), ("co\u{AD}op", 5), ("नमस्ते", 4), ("\t", 0),
      ("𠀀", 2), ("→", 1), ("…", 1), ("א", 1),
    ])
  func width(text: String, columns: Int) {
    #expect(text.displayWidth == columns)
  }

  @Test(
    "Text is cut between characters, never inside, and says so",
    arguments: [
      ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"),
      ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 3, "👨‍👩‍👧‍👦…"), ("u\u{308}bc", 2, "u\u{308}…"), ("abc", 1, "…"), ("abc", 0, ""), ("", 0, ""),
    ])
  func cut(text: String, columns: Int, result: String) {
    #expect(text.cut(toWidth: columns) == result)
  }

  @Test(
    "A name is cut in its middle",
    arguments: [
      ("abcdefgh", 8, "abcdefgh"), ("abcdefgh", 5, "ab…gh"), ("abcdefgh", 6, "abc…gh"), ("日本語日本語", 7, "日…本語"),
      ("abc", 1, "…"), ("abc", 0, ""),
    ])
  func cutInTheMiddle(text: String, columns: Int, result: String) {
    #expect(text.cutInTheMiddle(toWidth: columns) == result)
    #expect(result.displayWidth <= columns)
  }

  @Test("Padding counts columns")
  func padding() {
    #expect("日本".padded(toWidth: 6) == "日本  ")
    #expect("abc".padded(toWidth: 2) == "abc")
  }
}
