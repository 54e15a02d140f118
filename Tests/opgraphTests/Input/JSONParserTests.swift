import Foundation
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
      ("true", .boolean(true)), ("false", .boolean(false)), ("null", .null),
      ("0", .number(0)), ("-1.5e+10", .number(-1.5e10)), ("20E-3", .number(0.02)), ("1e999", .number(.infinity)),
      ("// a\n[// b\r\n] //", .array([])), ("/**/[/* a\n * b **/]/*//*/", .array([])),
      (#""/* a */ // b""#, .string("/* a */ // b")), (#""a\nb\tc""#, .string("a\nb\tc")),
      ("\u{FEFF}[]", .array([])),
      ("\"\"", .string("")),
      ("\"é €\"", .string("é €")),
      (#""a\"\\\/\b\f\n\r\tz""#, .string("a\"\\/\u{8}\u{C}\n\r\tz")),
      (#""\u00e9\ud83d\ude00\u0000""#, .string("é😀\0")),
    ] as [(String, JSONValue.Kind)])
  func values(text: String, kind: JSONValue.Kind) throws {
    #expect(try JSONParser.value(of: Array(text.utf8)).kind == kind)
  }

  @Test("Values and keys know their places")
  func places() throws {
    let text = "\n{\"a\":\n[1,\r\n\"two\"]\n}"

    let value = try JSONParser.value(of: Array(text.utf8))

    let array = JSONValue(
      kind: .array([JSONValue(kind: .number(1), offset: 8), JSONValue(kind: .string("two"), offset: 12)]), offset: 7)
    #expect(value == JSONValue(kind: .object([JSONValue.Member(key: "a", offset: 2, value: array)]), offset: 1))
  }

  @Test("The elements of one key at the top are passed on, and of no other")
  func passing() throws {
    var passed: [JSONValue.Kind] = []
    let text = #"{"a": [1], "b": [2, [3]], "c": {"b": [4]}, "b": 5}"#

    let value = try JSONParser.value(of: Array(text.utf8), passingElementsOf: "b") { passed.append($0.kind) }

    #expect(passed == [.number(2), .array([JSONValue(kind: .number(3), offset: 21)])])
    guard case .object(let members) = value.kind else { throw InputError("no object") }
    #expect(members.map(\.key) == ["a", "b", "c", "b"])
    #expect(members[1].value == JSONValue(kind: .array([]), offset: 16))
  }

  @Test(
    "What is no JSON is refused with its place",
    arguments: [
      ("", "1:1: expected a value, found the end of the text"),
      ("{\n", "2:1: expected a key in quotes, found the end of the text"),
      ("{\n\"a\" 1}", "2:5: expected \":\", found \"1\""),
      ("{\n\"a\": 1\n,\n}", "3:1: nothing follows this comma but \"}\""),
      ("{,}", "1:2: expected a key in quotes, found \",\""),
      ("{\"a\": 1 \"b\": 2}", "1:9: expected \",\" or \"}\", found \"\\\"\""),
      ("[1,\n]", "1:3: nothing follows this comma but \"]\""),
      ("[1,,2]", "1:4: expected a value, found \",\""),
      ("[1\n2]", "2:1: expected \",\" or \"]\", found \"2\""),
      ("[]\n]", "2:1: expected the end, found \"]\""),
      ("[\"é\" x]", "1:6: expected \",\" or \"]\", found \"x\""),
      ("[é]", "1:2: expected a value, found \"é\""),
      ("tru", "1:1: expected a value, found \"t\""),
      ("01", "1:2: expected the end, found \"1\""),
      ("-", "1:2: expected a digit, found the end of the text"),
      ("1.", "1:3: expected a digit, found the end of the text"),
      ("'a'", "1:1: expected a value, found \"'\""),
      ("\n\u{FEFF}[]", "2:1: expected a value, found \"\\u{FEFF}\""),
      ("[1, /* 2\n]", "1:5: a comment has no end"),
      ("[1 */ 2]", "1:4: expected \",\" or \"]\", found \"*\""),
      ("/ []", "1:1: a comment begins with \"//\" or \"/*\""),
      ("[//]", "1:5: expected a value, found the end of the text"),
      ("\n\"abc", "2:1: a string has no closing quote"),
      ("\n\"abc\\", "2:1: a string has no closing quote"),
      ("\"a\nb\"", "1:3: a line break or control character in a string must be escaped"),
      (#""\q""#, "1:2: a string has an unknown escape sequence"),
      (#""é\u00g0""#, "1:3: \\u needs four hexadecimal digits"),
      (#""\u+123""#, "1:2: \\u needs four hexadecimal digits"),
      (#""\u12"#, "1:2: \\u needs four hexadecimal digits"),
      (#""\ud83d""#, "1:2: a string has half of a surrogate pair"),
      (#""\ud83dx""#, "1:2: a string has half of a surrogate pair"),
      (#""\ud83d\u0041""#, "1:2: a string has half of a surrogate pair"),
      (#""\ude00""#, "1:2: a string has half of a surrogate pair"),
      (String(repeating: "[", count: 100_000), "1:65: nested too deeply"),
    ])
  func refused(text: String, message: String) {
    #expect(refusal(of: Array(text.utf8)) == message)
  }

  @Test("A string that is not UTF-8 is refused")
  func encoding() {
    #expect(refusal(of: [0x0A, 0x22, 0xFF, 0x22]) == "2:1: a string is not UTF-8")
  }

  @Test("UTF-16 and UTF-32 are named", arguments: [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32])
  func otherEncodings(encoding: String.Encoding) throws {
    let bytes = try #require("{}".data(using: encoding))
    #expect(refusal(of: Array(bytes)) == "1:1: this is UTF-16 or UTF-32, only UTF-8 can be read")
  }

  private func refusal(of bytes: [UInt8]) -> String? {
    do {
      _ = try JSONParser.value(of: bytes)
      return nil
    } catch let mistake as Mistake {
      var positions = TextPositions(bytes)
      let position = positions.position(of: mistake.offset)
      let message = mistake.message()
      #expect(message.hasPrefix("bad JSON: "))
      return "\(position.line):\(position.column): \(message.dropFirst(10))"
    } catch {
      return "\(error)"
    }
  }
}
