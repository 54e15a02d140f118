/// What is told about a graph without running anything of it.
struct GraphText: Sendable {
  let graph: Graph
  /// For the plan.
  var upToDate = UpToDatePolicy()

  /// The text for a job; nil for the one that runs the graph.
  func text(for job: GraphJob) async -> String? {
    switch job {
    case .run: nil
    case .plan: Self.list(await RunPlan(graph: graph, upToDate: upToDate).nodes())
    case .list: Self.list(graph.nodes)
    case .draw(.dot): GraphDrawing(graph: graph).dot
    case .draw(.mermaid): GraphDrawing(graph: graph).mermaid
    }
  }

  /// A line for each node: its id, and the first line of its command.
  private static func list(_ nodes: [Graph.Node]) -> String {
    // Limited, so that one long identifier does not push the commands off the screen.
    let width = min(nodes.lazy.map(\.id.displayWidth).max() ?? 0, 32)
    return nodes.reduce(into: "") { text, node in
      text += "\(node.id.padded(toWidth: width))  \(firstLine(of: node.run))\n"
    }
  }

  private static func firstLine(of command: String) -> String {
    let lines = command.split(whereSeparator: \.isNewline)
    return (lines.first ?? "").withoutUnseen + (lines.count > 1 ? " …" : "")
  }
}
