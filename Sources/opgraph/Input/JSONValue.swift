/// A JSON value with its place, for messages about values that have the wrong type or meaning.
struct JSONValue: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    case object([Member])
    case array([JSONValue])
    case string(String)
    case number(Double)
    case boolean(Bool)
    case null
  }

  struct Member: Equatable, Sendable {
    let key: String
    /// Where the key begins, in bytes from the start of the text.
    let offset: Int
    let value: JSONValue
  }

  let kind: Kind
  /// Where the value begins, in bytes from the start of the text.
  let offset: Int

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
