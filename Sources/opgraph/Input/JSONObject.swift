/// A JSON object without unknown or duplicate keys.
struct JSONObject {
  private let values: [String: JSONValue]
  private let line: Int

  /// Throws ``InputError`` for another kind of value, and for the first unknown or duplicate key.
  init(_ value: JSONValue, keys: [String]) throws {
    guard case .object(let members) = value.kind else {
      throw InputError("expected an object, found \(value.noun)", line: value.line)
    }
    var values: [String: JSONValue] = [:]
    for member in members {
      guard keys.contains(member.key) else {
        let known = keys.joined(separator: ", ")
        throw InputError("unknown key \(member.key.debugDescription) (known: \(known))", line: member.line)
      }
      guard values.updateValue(member.value, forKey: member.key) == nil else {
        throw InputError("the key \(member.key.debugDescription) stands twice", line: member.line)
      }
    }
    self.values = values
    line = value.line
  }

  subscript(_ key: String) -> JSONValue? { values[key] }

  func required(_ key: String) throws -> JSONValue {
    guard let value = values[key] else {
      throw InputError("the key \(key.debugDescription) is missing", line: line)
    }
    return value
  }
}
