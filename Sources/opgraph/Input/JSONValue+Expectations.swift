extension JSONValue {
  /// The string; throws ``InputError`` with the name of the key if the value is not a string.
  func string(_ key: String) throws -> String {
    guard case .string(let string) = kind else {
      throw InputError("\(key.debugDescription): expected a string, found \(noun)", line: line)
    }
    return string
  }

  /// The elements of the array; throws ``InputError`` with the name of the key if the value is not an array.
  func elements(_ key: String) throws -> [JSONValue] {
    guard case .array(let elements) = kind else {
      throw InputError("\(key.debugDescription): expected an array, found \(noun)", line: line)
    }
    return elements
  }
}
