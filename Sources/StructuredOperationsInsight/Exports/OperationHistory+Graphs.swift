import StructuredOperations

extension OperationHistory {
  /// The operations and their dependencies as a graph in the language DOT, which Graphviz draws.
  ///
  /// A node for each operation, with its name and its executing time, and an edge from each dependency to its
  /// dependent. Of a name the first 1 000 characters are shown, since Graphviz reads no strings of any length. Failed, cancelled and unfinished operations have colours of their own, the critical path is drawn
  /// with thick lines.
  ///
  /// - Complexity: O(n log n).
  public func dot() -> String {
    let path = criticalPath.map(\.id)
    let critical = Set(path)
    let next = Dictionary(zip(path, path.dropFirst()), uniquingKeysWith: { first, _ in first })
    var text = """
      digraph operations {
        rankdir=LR
        node [shape=box, style="rounded,filled", fillcolor="#e8f1fb", fontname="sans-serif"]

      """
    for operation in operations {
      var label = Self.escapedForDOT(operation.name)
      if operation.hasBegun { label += "\\n" + operation.duration(.executing).text }
      let colour =
        switch operation.outcome {
        case .succeeded: ""
        case .failed: ", fillcolor=\"#f9d6d2\""
        case .cancelled: ", fillcolor=\"#e4e4e4\""
        case .unfinished: ", fillcolor=\"#fdf0c8\""
        }
      let width = critical.contains(operation.id) ? ", penwidth=3" : ""
      text += "  \(Self.node(operation.id)) [label=\"\(label)\"\(colour)\(width)]\n"
    }
    forEachDependency { dependency, operation in
      let width = next[dependency] == operation ? " [penwidth=3]" : ""
      text += "  \(Self.node(dependency)) -> \(Self.node(operation))\(width)\n"
    }
    return text + "}\n"
  }

  /// The operations and their dependencies as a flowchart for Mermaid, which many viewers of Markdown draw.
  ///
  /// A node for each operation, and an edge from each dependency to its dependent. The critical path is drawn with
  /// thick borders.
  ///
  /// - Complexity: O(n log n).
  public func mermaid() -> String {
    let critical = Set(criticalPath.map(\.id))
    var text = "flowchart LR\n"
    for operation in operations {
      let style = operation.outcome == .succeeded ? "" : ":::\(operation.outcome.word)"
      text += "  \(Self.node(operation.id))[\"\(Self.escapedForMermaid(operation.name))\"]\(style)\n"
    }
    forEachDependency { text += "  \(Self.node($0)) --> \(Self.node($1))\n" }
    for operation in operations where critical.contains(operation.id) {
      text += "  class \(Self.node(operation.id)) critical\n"
    }
    text += """
        classDef critical stroke-width:3px
        classDef failed fill:#f9d6d2,stroke:#b3261e,color:#000
        classDef cancelled fill:#e4e4e4,stroke:#777,color:#000
        classDef unfinished fill:#fdf0c8,stroke:#8a6d00,color:#000

      """
    return text
  }

  private func forEachDependency(_ body: (_ dependency: Int, _ operation: Int) -> Void) {
    for operation in operations {
      for dependency in operation.dependencies { body(dependency, operation.id) }
    }
  }

  /// The name of a node; a minus would end it.
  private static func node(_ id: Int) -> String { id < 0 ? "m\(id.magnitude)" : "n\(id)" }

  /// Graphviz reads escapes and entities of HTML in labels, of at most 16 384 bytes.
  private static func escapedForDOT(_ name: String) -> String {
    var result = ""
    for scalar in name.onOneLine.shown(1_000).unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "&": result += "&amp;"
      // The SVG that Graphviz makes may not have them.
      case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Everything that means something to Mermaid, to Markdown or in HTML becomes an entity by number, which Mermaid writes
  /// with `#`.
  private static func escapedForMermaid(_ name: String) -> String {
    var result = ""
    let name = name.onOneLine
    let marker = name.listMarker
    for (index, scalar) in zip(name.unicodeScalars.indices, name.unicodeScalars) {
      switch scalar {
      case _ where index == marker: result += "#\(scalar.value);"
      case "\"", "#", "&", "<", ">", "`", ";", "\\", "*", "_", "~", "{", "}", "[", "]", "(", ")", "|", "'", "%", "$":
        result += "#\(scalar.value);"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result.isEmpty ? " " : result
  }
}
