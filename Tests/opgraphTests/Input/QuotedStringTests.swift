import Testing

@testable import opgraph

@Suite("Strings in messages")
struct QuotedStringTests {
  @Test(
    "What cannot be seen is escaped, everything else is as it is",
    arguments: [
      ("a b", #""a b""#), ("\"\\\n\r\t\0\u{1B}", #""\"\\\n\r\t\u{0}\u{1B}""#), ("ä👩‍👧'", "\"ä👩‍👧'\""),
      ("\u{3164}\u{2061}\u{206A}", #""\u{3164}\u{2061}\u{206A}""#),
      ("\u{7F}\u{9B}1m", #""\u{7F}\u{9B}1m""#), ("\u{FEFF}\u{202E}\u{2028}", #""\u{FEFF}\u{202E}\u{2028}""#),
    ])
  func quoted(string: String, quoted: String) {
    #expect(string.quoted == quoted)
  }

  @Test("Without quotes, neither they nor escapes have to be escaped")
  func seen() {
    #expect(#"a "b" \n"#.seen == #"a "b" \n"#)
    #expect("\u{1B}\n\u{202E}ä".seen == #"\u{1B}\n\u{202E}ä"#)
  }
}
