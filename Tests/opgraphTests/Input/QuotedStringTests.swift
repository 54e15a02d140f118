import Testing

@testable import opgraph

@Suite("Strings in messages")
struct QuotedStringTests {
  @Test(
    "What cannot be seen is escaped, everything else is as it is",
    arguments: [
      ("a b", #""a b""#), ("\"\\\n\r\t\0\u{1B}", #""\"\\\n\r\t\u{0}\u{1B}""#), ("ä👩‍👧'", "\"ä👩‍👧'\""),
      ("\u{7F}\u{9B}1m", #""\u{7F}\u{9B}1m""#), ("\u{FEFF}\u{202E}\u{2028}", #""\u{FEFF}\u{202E}\u{2028}""#),
    ])
  func quoted(string: String, quoted: String) {
    #expect(string.quoted == quoted)
  }
}
