/// Tells a graph of causes in sentences: from an operation, along one way, to a root.
struct ExplanationWords {
  private let graph: ExplanationGraph
  private let clauses: ExplanationClauses

  init(_ graph: ExplanationGraph) {
    self.graph = graph
    clauses = ExplanationClauses(at: graph.time)
  }

  /// O(what the operation leads to).
  func sentence(about node: Int) -> String {
    if graph.operations[node].reasons.isEmpty { return "\(label(node)) has finished." }
    if graph.search.isInLoop(node) { return "\(loop(through: node)).\(otherRoots(than: [node], of: node))" }
    let path = graph.search.path(from: node)
    guard let root = path.last, path.count > 1 else { return "\(label(node)) \(clause(node).text)." }
    return "\(way(path.filter(graph.isOperation)))\(end(root)).\(otherRoots(than: [root], of: node))"
  }

  /// From an operation to a root, whose own clause is left out.
  private func way(_ path: [Int]) -> String {
    var last = clause(path[0], to: path[1])
    var text = "\(label(path[0])) \(last.text)"
    let between = path.dropFirst().dropLast()
    if between.count > 2 {
      let start = last.endsWithTarget ? ", which" : "; \(label(path[1]))"
      return "\(text)\(start) waits, through \(between.count - 1) more, for \(label(path[path.count - 1]))"
    }
    for (node, next) in zip(between, path.dropFirst(2)) {
      text += last.endsWithTarget ? ", which " : "; \(label(node)) "
      last = clause(node, to: next)
      text += last.text
    }
    return text
  }

  /// What there is to say of the root of a way.
  private func end(_ root: Int) -> String {
    graph.search.isInLoop(root) ? "; \(loop(through: root))" : "; \(label(root)) \(clause(root).text)"
  }

  private func loop(through node: Int) -> String {
    let cycle = graph.search.cycle(through: node).filter(graph.isOperation)
    let members = cycle.dropLast()
    let steps = zip(cycle, cycle.dropFirst()).map { "\(label($0)) \(clause($0, to: $1).text)" }
    switch members.count {
    case 1: return "\(label(node)) waits for itself: \(steps.joined())"
    case 2: return "\(label(cycle[0])) and \(label(cycle[1])) wait for each other: \(steps.joined(separator: "; "))"
    case 3...4:
      return "\(label(node)) is in a loop of \(members.count) operations, each of which waits for the next: "
        + steps.joined(separator: "; ")
    default:
      let shown = members.prefix(8).map(label) + (members.count > 8 ? ["… (\(members.count - 8) more)"] : [])
      return "\(label(node)) is in a loop of \(members.count) operations, each of which waits for the next: "
        + (shown + [label(node)]).joined(separator: " -> ")
    }
  }

  /// The roots that the way has not come to.
  private func otherRoots(than told: [Int], of node: Int) -> String {
    let others = graph.search.roots(of: node).filter { root in
      !told.contains(root) && !(told.contains(where: graph.search.isInLoop) && graph.search.isInLoop(root))
    }
    if others.isEmpty { return "" }
    let shown = others.count > 4 ? 3 : others.count
    var names = others.prefix(shown).map(label)
    if others.count > shown { names.append("\(others.count - shown) more") }
    let isOne = others.count == 1
    return " There \(isOne ? "is another root cause" : "are other root causes"): \(ExplanationClauses.list(names))."
  }

  private func clause(_ node: Int, to next: Int? = nil) -> ExplanationClauses.Clause {
    let explained = graph.operations[node]
    let target = next.map { graph.operations[$0].operation }
    return clauses.clause(of: explained, to: target, contents: graph.contents)
  }

  private func label(_ node: Int) -> String { graph.operations[node].operation.label }
}
