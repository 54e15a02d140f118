import Testing

@testable import opgraph

@Suite("JSONParser")
struct JSONParserTests {
  @Test(
    "Every kind of value is read",
    arguments: [
      ("{}", .object([])),
      ("[]", .array([])),
      (" \t\r\n[ ] ", .array([])),
      ("true", .boolean), ("false", .boolean), ("null", .null),
      ("0", .number), ("-1.5e+10", .number), ("20E-3", .number),
      ("\"\"", .string("")),
      ("\"é €\"", .string("é €")),
      (#""a\"\\\/\b\f\n\r\tz""#, .string("a\"\\/\u{8}\u{C}\n\r\tz")),
      (#""\u00e9\ud83d\ude00\u0000""#, .string("é😀\0")),
    ] as [(String, JSONValue.Kind)])
  func values(text: String, kind: JSONValue.Kind) throws {
    #expect(try JSONParser.value(of: Array(text.utf8)).kind == kind)
  }

  @Test("Values and keys know their lines")
  func lines() throws {
    let text = "\n{\"a\":\n[1,\r\n\"two\"]\n}"

    let value = try JSONParser.value(of: Array(text.utf8))

    let array = JSONValue(
      kind: .array([JSONValue(kind: .number, line: 3), JSONValue(kind: .string("two"), line: 4)]), line: 3)
    #expect(value == JSONValue(kind: .object([JSONValue.Member(key: "a", line: 2, value: array)]), line: 2))
  }

  @Test(
    "What is no JSON is refused with its line",
    arguments: [
      ("", "line 1: bad JSON: expected a value, found the end of the text"),
      ("{\n", "line 2: bad JSON: expected a key in quotes, found the end of the text"),
      ("{\n\"a\" 1}", "line 2: bad JSON: expected \":\", found \"1\""),
      ("{\n\"a\": 1\n,\n}", "line 4: bad JSON: expected a key in quotes, found \"}\""),
      ("{\"a\": 1 \"b\": 2}", "line 1: bad JSON: expected \",\" or \"}\", found \"\"\""),
      ("[1,\n]", "line 2: bad JSON: expected a value, found \"]\""),
      ("[1\n2]", "line 2: bad JSON: expected \",\" or \"]\", found \"2\""),
      ("[]\n]", "line 2: bad JSON: expected the end, found \"]\""),
      ("tru", "line 1: bad JSON: expected a value, found \"t\""),
      ("01", "line 1: bad JSON: expected the end, found \"1\""),
      ("-", "line 1: bad JSON: expected a digit, found the end of the text"),
      ("1.", "line 1: bad JSON: expected a digit, found the end of the text"),
      ("'a'", "line 1: bad JSON: expected a value, found \"'\""),
      ("\n\u{FEFF}[]", "line 2: bad JSON: expected a value, found the byte 239"),
      ("\n\"abc", "line 2: bad JSON: a string has no closing quote"),
      ("\n\"abc\\", "line 2: bad JSON: a string has no closing quote"),
      ("\"a\nb\"", "line 1: bad JSON: a line break or control character in a string must be escaped"),
      (#""\q""#, "line 1: bad JSON: a string has an unknown escape sequence"),
      (#""\u00g0""#, "line 1: bad JSON: \\u needs four hexadecimal digits"),
      (#""\u+123""#, "line 1: bad JSON: \\u needs four hexadecimal digits"),
      (#""\u12"#, "line 1: bad JSON: \\u needs four hexadecimal digits"),
      (#""\ud83d""#, "line 1: bad JSON: a string has half of a surrogate pair"),
      (#""\ud83dx""#, "line 1: bad JSON: a string has half of a surrogate pair"),
      (#""\ud83d\u0041""#, "line 1: bad JSON: a string has half of a surrogate pair"),
      (#""\ude00""#, "line 1: bad JSON: a string has half of a surrogate pair"),
      (String(repeating: "[", count: 100_000), "line 1: bad JSON: nested too deeply"),
    ])
  func refused(text: String, message: String) {
    let error = #expect(throws: InputError.self) { try JSONParser.value(of: Array(text.utf8)) }
    #expect(error?.description == message)
  }

  @Test("A string that is not UTF-8 is refused")
  func encoding() {
    let error = #expect(throws: InputError.self) { try JSONParser.value(of: [0x0A, 0x22, 0xFF, 0x22]) }
    #expect(error?.description == "line 2: bad JSON: a string is not UTF-8")
  }
}
