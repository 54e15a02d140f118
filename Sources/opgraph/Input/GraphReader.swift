import StructuredOperations

/// Reads a graph from JSON text; throws ``InputError`` with the line of the first mistake.
struct GraphReader {
  /// The base of relative directories in the graph.
  let directory: String
  /// A parameter, so that tests need no file system.
  let isDirectory: (String) -> Bool

  private static let priorities: KeyValuePairs<String, QueuePriority> = [
    "veryLow": .veryLow, "low": .low, "normal": .normal, "high": .high, "veryHigh": .veryHigh,
  ]

  func graph(from bytes: [UInt8]) throws -> Graph {
    let root = try JSONObject(JSONParser.value(of: bytes), keys: ["operations"])
    let entries = try root.required("operations").elements("operations").map { value in
      (node: try node(value), line: value.line)
    }

    var ids: Set<String> = []
    for (node, line) in entries where !ids.insert(node.id).inserted {
      throw InputError("duplicate id \(node.id.debugDescription)", line: line)
    }
    for (node, line) in entries {
      for dependency in node.after where !ids.contains(dependency) {
        throw InputError(
          "operation \(node.id.debugDescription): unknown dependency \(dependency.debugDescription)", line: line)
      }
    }
    return Graph(nodes: entries.map(\.node))
  }

  private func node(_ value: JSONValue) throws -> Graph.Node {
    let object = try JSONObject(value, keys: ["id", "run", "after", "priority", "directory"])
    return Graph.Node(
      id: try id(object.required("id")),
      run: try run(object.required("run")),
      after: try object["after"]?.elements("after").map { try $0.string("after") } ?? [],
      priority: try object["priority"].map(priority) ?? .normal,
      directory: try object["directory"].map(directory) ?? directory
    )
  }

  private func id(_ value: JSONValue) throws -> String {
    let id = try value.string("id")
    guard !id.isEmpty else { throw InputError("an id is empty", line: value.line) }
    // The report has one line per event, which an id with a line break would split.
    guard !id.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw InputError("the id \(id.debugDescription) has a control character", line: value.line)
    }
    return id
  }

  private func run(_ value: JSONValue) throws -> String {
    let command = try value.string("run")
    // The shell would take it for the end of the command.
    guard !command.utf8.contains(0) else { throw InputError("\"run\" has a NUL character", line: value.line) }
    return command
  }

  private func priority(_ value: JSONValue) throws -> QueuePriority {
    let name = try value.string("priority")
    guard let priority = Self.priorities.first(where: { $0.key == name })?.value else {
      let known = Self.priorities.map(\.key).joined(separator: ", ")
      throw InputError("unknown priority \(name.debugDescription) (known: \(known))", line: value.line)
    }
    return priority
  }

  private func directory(_ value: JSONValue) throws -> String {
    let name = try value.string("directory")
    let path = name.hasPrefix("/") ? name : "\(directory)/\(name)"
    guard !name.utf8.contains(0), isDirectory(path) else {
      throw InputError("there is no directory \(name.debugDescription)", line: value.line)
    }
    return path
  }
}
