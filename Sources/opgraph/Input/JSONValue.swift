/// A JSON value that knows its line, so that a mistake in its meaning can be told with its place, too.
struct JSONValue: Equatable, Sendable {
  indirect enum Kind: Equatable, Sendable {
    case object([Member])
    case array([JSONValue])
    case string(String)
    /// Nothing in a graph is a number, so what it says is not kept.
    case number
    case boolean
    case null
  }

  struct Member: Equatable, Sendable {
    let key: String
    /// The key's line; the value may stand on a later one.
    let line: Int
    let value: JSONValue
  }

  let kind: Kind
  /// Where the value begins, counted from 1.
  let line: Int

  /// The kind in words, as in "expected a string, found a number".
  var noun: String {
    switch kind {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .boolean: "a boolean"
    case .null: "null"
    }
  }
}
