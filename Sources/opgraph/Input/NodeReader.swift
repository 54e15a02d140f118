import StructuredOperations

/// Reads what is said of nodes.
struct NodeReader {
  static let priorities: KeyValuePairs<String, QueuePriority> = [
    "veryLow": .veryLow, "low": .low, "normal": .normal, "high": .high, "veryHigh": .veryHigh,
  ]

  /// The base of relative directories.
  let directory: String
  let isDirectory: (String) -> Bool
  var values = ValueReader()
  /// Whether the directories that have been looked for are there; each one is looked for once.
  private var directories: [String: Bool] = [:]

  init(directory: String, isDirectory: @escaping (String) -> Bool) {
    self.directory = directory
    self.isDirectory = isDirectory
  }

  /// Reads the keys that the defaults may have as well.
  ///
  /// - Parameter id: That of the operation; nil if it has none that can be read, and for the defaults.
  mutating func settings(_ object: JSONObject<NodeKey>, of id: String?) -> NodeSettings {
    NodeSettings(
      priority: object[.priority].flatMap { priority($0) },
      directory: object[.directory].flatMap { directory($0, of: id) },
      timeout: object[.timeout].flatMap { seconds($0, "timeout", in: .timeout) },
      retries: object[.retries].flatMap { retries($0) },
      environment: object[.env].flatMap { environment($0) },
      pools: object[.pools].flatMap { values.oneOrMore($0, "pools") }
        .map { NodeSettings.PoolNames(names: $0.strings, offsets: $0.offsets) },
      allowsFailure: object[.allowFailure].flatMap { values.boolean($0, "allowFailure") },
      launcher: object[.launcher].flatMap { values.strings($0, "launcher")?.strings })
  }

  private mutating func priority(_ value: JSONValue) -> QueuePriority? {
    guard let name = values.string(value, "priority") else { return nil }
    if let priority = Self.priorities.first(where: { $0.key == name })?.value { return priority }
    let known = Self.priorities.map(\.key)
    values.mistakes.add(
      at: value.offset,
      "unknown priority \(name.quoted)"
        + (NearName.suggestion(for: name, in: known) ?? " (known: \(known.joined(separator: ", ")))"))
    return nil
  }

  private mutating func directory(_ value: JSONValue, of id: String?) -> String? {
    guard let name = values.nonemptyString(value, "directory") else { return nil }
    let path = name.isAbsolutePath ? name : directory + (directory.endsWithSlash ? "" : "/") + name
    let isThere = directories[path] ?? isDirectory(path)
    directories[path] = isThere
    guard isThere else {
      values.mistakes.add(
        at: value.offset,
        (id.map { "operation \($0.quoted): " } ?? "") + "there is no directory \(path.quoted)")
      return nil
    }
    return path
  }

  private mutating func seconds(_ value: JSONValue, _ key: String, in range: NumberRange) -> Duration? {
    values.number(value, key, in: range).map { .seconds($0) }
  }

  /// A number of further attempts, or an object.
  private mutating func retries(_ value: JSONValue) -> Graph.Retries? {
    switch value.kind {
    case .number:
      return values.number(value, "retries", in: .retries).map { Graph.Retries(attempts: Int($0) + 1) }
    case .object:
      guard let object = values.object(value, keys: RetriesKey.allCases) else { return nil }
      let attempts = values.required(.attempts, in: object)
      var retries = Graph.Retries(
        attempts: attempts.flatMap { values.number($0, "attempts", in: .count) }.map { Int($0) } ?? 1)
      if let delay = object[.delay].flatMap({ seconds($0, "delay", in: .delay) }) { retries.delay = delay }
      if let factor = object[.factor].flatMap({ values.number($0, "factor", in: .factor) }) { retries.factor = factor }
      if let maximum = object[.maximumDelay].flatMap({ seconds($0, "maximumDelay", in: .delay) }) {
        retries.maximumDelay = maximum
      }
      return retries
    case .array, .string, .boolean, .null:
      values.expected("\(NumberRange.retries.noun) or an object", at: value, for: "retries")
      return nil
    }
  }

  private mutating func environment(_ value: JSONValue) -> [String: String?]? {
    guard let members = values.members(value, "env") else { return nil }
    var environment: [String: String?] = [:]
    for member in members {
      guard !member.key.isEmpty, !member.key.utf8.contains(where: { [0, UInt8(ascii: "=")].contains($0) }) else {
        values.mistakes.add(at: member.offset, "\(member.key.quoted) cannot be the name of a variable")
        continue
      }
      // A null stays, as what removes the variable.
      environment[member.key] = .some(member.value.kind == .null ? nil : values.string(member.value, member.key))
    }
    return environment
  }
}
