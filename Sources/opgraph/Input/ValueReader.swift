/// Reads JSON values as what they should be; keeps on after a mistake, so that all of them are found.
///
/// What cannot be read is nil, with the mistake noted.
struct ValueReader {
  var mistakes = Mistakes()

  /// The values of an object, without those of unknown keys and those that stand a second time.
  mutating func object<Key: RawRepresentable<String> & Equatable>(
    _ value: JSONValue, keys: [Key]
  ) -> JSONObject<Key>? {
    guard case .object(let members) = value.kind else {
      expected("an object", at: value)
      return nil
    }
    // One bit for each of the keys.
    var found: UInt32 = 0
    var firsts: [String: JSONValue.Member]?
    for member in members {
      guard let index = keys.firstIndex(where: { $0.rawValue == member.key }) else {
        let known = keys.map(\.rawValue)
        mistakes.add(
          at: member.offset,
          "unknown key \(member.key.quoted)"
            + (NearName.suggestion(for: member.key, in: known) ?? " (known: \(known.joined(separator: ", ")))"))
        continue
      }
      if found & 1 << index != 0 {
        // Once for all: a search for each would take quadratic time.
        let known = firsts ?? Dictionary(members.lazy.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        firsts = known
        if let first = known[member.key] { addDuplicate(member, of: first) }
      }
      found |= 1 << index
    }
    return JSONObject(offset: value.offset, members: members)
  }

  /// The value of a key that must be there.
  mutating func required<Key>(_ key: Key, in object: JSONObject<Key>) -> JSONValue? {
    let value = object[key]
    let name = key.rawValue
    if value == nil { mistakes.add(at: object.offset, "the key \(name.quoted) is missing") }
    return value
  }

  /// The members of an object whose keys are names of the user's, each of them there once.
  mutating func members(_ value: JSONValue, _ key: String) -> [JSONValue.Member]? {
    guard case .object(let members) = value.kind else {
      expected("an object", at: value, for: key)
      return nil
    }
    var found: [String: JSONValue.Member] = [:]
    return members.filter { member in
      let first = found.updateValue(member, forKey: member.key)
      if let first { addDuplicate(member, of: first) }
      return first == nil
    }
  }

  /// Accepts no NUL character, which would be taken for the end by everything that the string is passed to.
  mutating func string(_ value: JSONValue, _ key: String) -> String? {
    guard case .string(let string) = value.kind else {
      expected("a string", at: value, for: key)
      return nil
    }
    guard !string.utf8.contains(0) else {
      mistakes.add(at: value.offset, "\(key.quoted) has a NUL character")
      return nil
    }
    return string
  }

  mutating func nonemptyString(_ value: JSONValue, _ key: String) -> String? {
    guard let string = string(value, key) else { return nil }
    guard !string.isEmpty else {
      mistakes.add(at: value.offset, "\(key.quoted) has an empty string")
      return nil
    }
    return string
  }

  /// The name of an operation or a pool.
  mutating func name(_ value: JSONValue, _ key: String) -> String? {
    string(value, key).flatMap { name($0, key, at: value.offset) }
  }

  /// Accepts no characters that would split a line of the report, or turn its direction.
  mutating func name(_ name: String, _ key: String, at offset: Int) -> String? {
    guard !name.isEmpty else {
      mistakes.add(at: offset, "\(key.quoted) has an empty string")
      return nil
    }
    guard let unseen = name.unicodeScalars.first(where: \.isUnseen) else { return name }
    let noun = unseen.isControl ? "control character" : "character that cannot be seen"
    mistakes.add(at: offset, "\(key.quoted) has a \(noun): \(name.quoted)")
    return nil
  }

  /// The strings of a list, or of what stands for a list of one, that can be read, and where they stand.
  mutating func oneOrMore(_ value: JSONValue, _ key: String) -> (strings: [String], offsets: [Int])? {
    switch value.kind {
    case .string: return strings(of: [value], key)
    case .array(let elements): return strings(of: elements, key)
    case .object, .number, .boolean, .null:
      expected("a string or an array", at: value, for: key)
      return nil
    }
  }

  /// The strings of a list that can be read, and where they stand.
  mutating func strings(_ value: JSONValue, _ key: String) -> (strings: [String], offsets: [Int])? {
    elements(value, key).map { strings(of: $0, key) }
  }

  private mutating func strings(of elements: [JSONValue], _ key: String) -> (strings: [String], offsets: [Int]) {
    var strings: [String] = []
    var offsets: [Int] = []
    for element in elements {
      guard let string = nonemptyString(element, key) else { continue }
      strings.append(string)
      offsets.append(element.offset)
    }
    return (strings, offsets)
  }

  mutating func elements(_ value: JSONValue, _ key: String) -> [JSONValue]? {
    guard case .array(let elements) = value.kind else {
      expected("an array", at: value, for: key)
      return nil
    }
    return elements
  }

  mutating func number(_ value: JSONValue, _ key: String, in range: NumberRange) -> Double? {
    guard case .number(let number) = value.kind else {
      expected(range.noun, at: value, for: key)
      return nil
    }
    guard range.contains(number) else {
      let noun = number > NumberRange.maximum ? "a number up to \(Int(NumberRange.maximum))" : range.noun
      mistakes.add(at: value.offset, "\(key.quoted): expected \(noun), found \(Self.text(number))")
      return nil
    }
    return number
  }

  mutating func boolean(_ value: JSONValue, _ key: String) -> Bool? {
    guard case .boolean(let boolean) = value.kind else {
      expected("a boolean", at: value, for: key)
      return nil
    }
    return boolean
  }

  mutating func expected(_ expected: String, at value: JSONValue, for key: String? = nil) {
    let start = key.map { "\($0.quoted): " } ?? ""
    mistakes.add(at: value.offset, "\(start)expected \(expected), found \(value.noun)")
  }

  private mutating func addDuplicate(_ member: JSONValue.Member, of first: JSONValue.Member) {
    mistakes.add(at: member.offset, other: first.offset, "the key \(member.key.quoted) stands twice")
  }

  private static func text(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? "\(number)"
  }
}
