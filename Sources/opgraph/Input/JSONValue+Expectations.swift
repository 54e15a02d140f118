extension JSONValue {
  /// The string that the value of `key` must be.
  func string(_ key: String) throws -> String {
    guard case .string(let string) = kind else {
      throw InputError("\(key.debugDescription): expected a string, found \(noun)", line: line)
    }
    return string
  }

  /// The elements of the array that the value of `key` must be.
  func elements(_ key: String) throws -> [JSONValue] {
    guard case .array(let elements) = kind else {
      throw InputError("\(key.debugDescription): expected an array, found \(noun)", line: line)
    }
    return elements
  }
}
