/// A JSON value with its line number, for messages about values that have the wrong type or meaning.
struct JSONValue: Equatable, Sendable {
  indirect enum Kind: Equatable, Sendable {
    case object([Member])
    case array([JSONValue])
    case string(String)
    /// Without its value, since no part of a graph is a number.
    case number
    case boolean
    case null
  }

  struct Member: Equatable, Sendable {
    let key: String
    /// The line of the key; the value may begin on a later one.
    let line: Int
    let value: JSONValue
  }

  let kind: Kind
  /// The line on which the value begins, counted from 1.
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
