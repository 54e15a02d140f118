extension DependencyGraph {
  /// Those operations that depend, through any number of steps, on one that nobody runs: each with the reason in words.
  static func stalled(_ storages: [OperationStorage]) -> [OperationStorage: String] {
    withLock { _, releases in
      let walk = GraphWalk(from: storages) { releases.keep($0.awaited(through: .dependencies)) }
      let next = walk.nextHops(to: \.isIdle)
      return storages.reduce(into: [:]) { reasons, storage in
        if let first = next[storage], first !== storage { reasons[storage] = reason(storage, next, &releases) }
      }
    }
  }

  /// - Parameter next: The next operation on the way to one that nobody runs, which leads to itself.
  private static func reason(
    _ storage: OperationStorage,
    _ next: [OperationStorage: OperationStorage],
    _ releases: inout DeferredReleases
  ) -> String {
    var names: [String] = []
    var node = storage
    while let ahead = next[node], ahead !== node {
      names.append(releases.keep(node.operation(awaited: ahead)).map(\.label) ?? "an operation")
      node = ahead
    }
    let between = names.count > 2 ? ", through \(names.count - 2) more," : ""
    let way = names.count > 1 ? " \(names[0]), which waits\(between) for" : ""
    return "waits for\(way) \(names[names.count - 1]), which is in no queue and has not been started"
  }
}
