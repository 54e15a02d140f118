import Testing

@testable import opgraph

@Suite("String.shellQuoted")
struct ShellQuotingTests {
  @Test(
    "A quoted string is one word",
    arguments: [
      ("", "''"), ("a b", "'a b'"), ("$x`y`\\", "'$x`y`\\'"), ("it's", #"'it'\''s'"#), ("''", #"''\'''\'''"#),
      ("'\u{FE0F}a'\u{301}", "''\\''\u{FE0F}a'\\''\u{301}'"),
    ])
  func quoted(string: String, word: String) {
    // Strings are equal where their combining signs mean the same.
    #expect(Array(string.shellQuoted.utf8) == Array(word.utf8))
  }
}
