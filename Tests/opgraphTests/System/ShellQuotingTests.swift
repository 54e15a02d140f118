import Testing

@testable import opgraph

@Suite("String.shellQuoted")
struct ShellQuotingTests {
  @Test(
    "A quoted string is one word",
    arguments: [
      ("", "''"), ("a b", "'a b'"), ("$x`y`\\", "'$x`y`\\'"), ("it's", #"'it'\''s'"#), ("''", #"''\'''\'''"#),
    ])
  func quoted(string: String, word: String) {
    #expect(string.shellQuoted == word)
  }
}
