import StructuredOperationsInsight

/// Writes a graph in languages for drawings: a box for each operation, an arrow to each from those that it comes after.
struct GraphDrawing {
  let graph: Graph

  /// For Graphviz.
  var dot: String {
    var text = """
      digraph operations {
        rankdir=LR
        node [shape=box, style=rounded, fontname="sans-serif"]

      """
    for (number, node) in graph.nodes.enumerated() {
      text += "  n\(number) [label=\"\(Self.escapedForDOT(node.id))\"]\n"
    }
    forEachEdge { text += "  n\($0) -> n\($1)\n" }
    return text + "}\n"
  }

  /// For Mermaid, which many viewers of Markdown draw.
  var mermaid: String {
    var text = "flowchart LR\n"
    for (number, node) in graph.nodes.enumerated() { text += "  n\(number)[\"\(Self.escapedForMermaid(node.id))\"]\n" }
    forEachEdge { text += "  n\($0) --> n\($1)\n" }
    return text
  }

  private func forEachEdge(_ body: (_ from: Int, _ to: Int) -> Void) {
    let numbers = Dictionary(uniqueKeysWithValues: zip(graph.nodes.lazy.map(\.id), graph.nodes.indices))
    for (number, node) in graph.nodes.enumerated() {
      for dependency in node.after.compactMap({ numbers[$0] }) { body(dependency, number) }
    }
  }

  /// Graphviz reads escapes and entities of HTML in labels, of at most 16 384 bytes.
  private static func escapedForDOT(_ id: String) -> String {
    id.shown(1_000).unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\"": result += #"\""#
      case "\\": result += #"\\"#
      case "&": result += "&amp;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }

  /// What may mean something to Mermaid, to Markdown or in HTML becomes an entity by number, which Mermaid writes with
  /// `#`: of ASCII everything but letters, digits, spaces and what is harmless in names of files, unless it begins a list.
  private static func escapedForMermaid(_ id: String) -> String {
    let marker = id.listMarker
    return zip(id.unicodeScalars.indices, id.unicodeScalars).reduce(into: "") { result, element in
      let (index, scalar) = element
      let isHarmless =
        !scalar.isASCII || scalar.properties.isAlphabetic || "0123456789 /.-:,".unicodeScalars.contains(scalar)
      if isHarmless, index != marker {
        result.unicodeScalars.append(scalar)
      } else {
        result += "#\(scalar.value);"
      }
    }
  }
}
