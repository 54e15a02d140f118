extension DependencyGraph {
  /// Those operations that depend, through any number of steps, on one that nobody runs: each with the reason in words.
  static func stalled(_ storages: [OperationStorage]) -> [OperationStorage: String] {
    withLock { _, releases in
      let walk = GraphWalk(from: storages) { releases.keep($0.awaited(through: .dependencies)) }
      let ways = walk.ways(to: \.isIdle)
      return storages.reduce(into: [:]) { reasons, storage in
        if let way = ways[storage], way.stepCount > 0 { reasons[storage] = reason(storage, way, &releases) }
      }
    }
  }

  private static func reason(
    _ storage: OperationStorage,
    _ way: GraphWalk<OperationStorage>.Way,
    _ releases: inout DeferredReleases
  ) -> String {
    func label(_ awaited: OperationStorage, of dependent: OperationStorage) -> String {
      releases.keep(dependent.operation(awaited: awaited)).map(\.label) ?? "an operation"
    }
    let between = way.stepCount > 2 ? ", through \(way.stepCount - 2) more," : ""
    let lead = way.stepCount > 1 ? " \(label(way.next, of: storage)), which waits\(between) for" : ""
    return "waits for\(lead) \(label(way.target, of: way.last)), which is in no queue and has not been started"
  }
}
