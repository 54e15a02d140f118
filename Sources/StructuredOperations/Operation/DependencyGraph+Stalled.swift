extension DependencyGraph {
  /// Those operations that depend, through any number of steps, on one that nobody runs: each with the reason in words.
  static func stalled(_ cores: [OperationCore]) -> [OperationCore: String] {
    withLock { _, garbage in
      let garbage = garbage()
      let walk = GraphWalk(from: cores) { garbage.keep($0.operationsAhead(through: .dependencies)) }
      let ways = walk.waysTo(\.isIdle)
      return cores.reduce(into: [:]) { reasons, core in
        if let next = ways[core], next !== core { reasons[core] = reason(core, next, ways, garbage) }
      }
    }
  }

  private static func reason(
    _ core: OperationCore,
    _ next: OperationCore,
    _ ways: [OperationCore: OperationCore],
    _ garbage: GraphGarbage
  ) -> String {
    var steps = [garbage.keep(core.operation(ahead: next))]
    var node = next
    while let ahead = ways[node], ahead !== node {
      steps.append(garbage.keep(node.operation(ahead: ahead)))
      node = ahead
    }
    let names = steps.map { $0.map(OperationError.name(of:)) ?? "an operation" }
    let between = names.count > 2 ? ", through \(names.count - 2) more," : ""
    let way = names.count > 1 ? " \(names[0]), which waits\(between) for" : ""
    return "waits for\(way) \(names[names.count - 1]), which is in no queue and has not been started"
  }
}
