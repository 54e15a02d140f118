import StructuredOperations

/// Puts a graph together from the values in a text, one operation at a time, and notes what is wrong with them.
///
/// What is said of all operations, and the pools, may stand after the operations in the text: both are applied at the
/// end.
struct GraphBuilder {
  var reader: NodeReader
  private var positions: TextPositions
  private var nodes: [Graph.Node] = []
  /// What the nodes say themselves.
  private var said: [NodeSettings.Said] = []
  /// The number of the first node with each id.
  private var numbers: [String: Int] = [:]
  /// Where the ids of the nodes stand.
  private var idOffsets: [Int] = []
  /// Where the dependencies stand: all those of the first node, then all those of the next.
  private var dependencyOffsets: [Int] = []
  /// Where the names of pools stand, in the same order.
  private var poolOffsets: [Int] = []
  /// Where the inputs and then the outputs stand, in the same order.
  private var fileOffsets: [Int] = []

  init(reader: NodeReader, positions: TextPositions) {
    self.reader = reader
    self.positions = positions
  }

  /// Adds the node that the value describes.
  mutating func add(_ value: JSONValue) {
    guard let object = reader.values.object(value, keys: NodeKey.allCases) else { return }
    let idValue = reader.values.required(.id, in: object)
    let id = idValue.flatMap { reader.values.name($0, "id") }
    let run = reader.values.required(.run, in: object).flatMap { reader.values.string($0, "run") }
    let settings = reader.settings(object, of: id)
    let inputs = object[.inputs].flatMap { reader.values.strings($0, "inputs") }
    let outputs = object[.outputs].flatMap { reader.values.strings($0, "outputs") }
    let after = object[.after].flatMap { reader.values.oneOrMore($0, "after") } ?? ([], [])
    // Without an id nobody can depend on it, and the graph is refused in any case.
    guard let id, let idValue else { return }

    if let first = numbers[id] {
      reader.values.mistakes.add(at: idValue.offset, other: idOffsets[first], "duplicate id \(id.quoted)")
    } else {
      numbers[id] = nodes.count
    }
    idOffsets.append(idValue.offset)
    dependencyOffsets += after.offsets
    poolOffsets += settings.pools?.offsets ?? []
    fileOffsets += inputs?.offsets ?? []
    fileOffsets += outputs?.offsets ?? []
    said.append(settings.said)
    nodes.append(
      Graph.Node(
        id: id, run: run ?? "", after: after.strings, priority: settings.priority ?? .normal,
        directory: settings.directory ?? reader.directory, timeout: settings.timeout, retries: settings.retries,
        environment: settings.environment ?? [:], pools: settings.pools?.names ?? [],
        allowsFailure: settings.allowsFailure ?? false, inputs: inputs?.strings ?? [],
        outputs: outputs?.strings ?? [],
        launcher: settings.launcher ?? [], position: positions.position(of: value.offset)))
  }

  /// The nodes with their defaults; notes unknown pools, unknown dependencies, cycles, and files that do not fit the order.
  mutating func finishedNodes(defaults: NodeSettings, pools: PoolTable, launcher: [String]) -> [Graph.Node] {
    pools.check(defaults.pools?.names ?? [], at: defaults.pools?.offsets ?? [], &reader.values.mistakes)
    var offsets = poolOffsets[...]
    for number in nodes.indices {
      let own = nodes[number].pools
      pools.check(own, at: offsets.prefix(own.count), &reader.values.mistakes)
      offsets = offsets.dropFirst(own.count)
      defaults.complete(&nodes[number], saying: said[number])
      if !said[number].contains(.launcher) {
        nodes[number].launcher = pools.launcher(of: nodes[number].pools) ?? defaults.launcher ?? launcher
      }
    }
    link()
    return nodes
  }

  private mutating func link() {
    let ids = nodes.map(\.id)
    var edges = CycleSearch.Edges()
    for number in nodes.indices {
      for index in nodes[number].after.indices {
        let name = nodes[number].after[index]
        let target = numbers[name]
        edges.add(to: target)
        if let target {
          // The same string as the other node's, in place of an equal one that takes memory of its own.
          nodes[number].after[index] = ids[target]
        } else {
          reader.values.mistakes.add(
            at: dependencyOffsets[edges.count - 1],
            "operation \(ids[number].quoted): unknown dependency \(name.quoted)"
              + (NearName.suggestion(for: name, in: ids.lazy.filter { $0 != ids[number] }) ?? ""))
        }
      }
      edges.endNode()
    }
    var search = CycleSearch(edges)
    for cycle in search.cycles(limit: Mistakes.limit) {
      let text = text(of: cycle)
      reader.values.mistakes.add(at: dependencyOffsets[cycle.firstEdge], text)
    }
    // Where something is wrong, a directory or what comes after what may be another one than is meant.
    guard reader.values.mistakes.isEmpty else { return }
    for problem in FileLinks(nodes: nodes, edges: edges, order: search.order).problems {
      reader.values.mistakes.add(at: fileOffsets[problem.file], problem.message)
    }
  }

  /// The names and lines along the cycle, only the first ones of a long one; the first name again at the end.
  private func text(of cycle: CycleSearch.Cycle) -> String {
    let shown = 20
    var steps = cycle.nodes.prefix(shown).map { number in
      let line = nodes[number].position.map { " (line \($0.line))" } ?? ""
      return nodes[number].id + line
    }
    if cycle.nodes.count > shown { steps.append("… (\(cycle.nodes.count - shown) more)") }
    return "dependency cycle: " + (steps + [nodes[cycle.nodes[0]].id]).joined(separator: " needs ")
  }
}
