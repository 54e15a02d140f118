extension Workload {
  /// The workloads in the order of the table.
  ///
  /// A new workload is a file of its own and a line here. Workloads that leave much memory allocated come last.
  static func all(for scale: Options.Scale) -> [Workload] {
    let widths = [1, 2, 64]
    let parallelWidths = [2, 64]
    return widths.map { asynchronousBatch(scale, width: $0) }
      + widths.map { asynchronousOneByOne(scale, width: $0) }
      + widths.map { synchronousBatch(scale, width: $0) }
      + widths.map { synchronousOneByOne(scale, width: $0) }
      + [1, 2].map { chain(scale, width: $0) }
      + parallelWidths.map { fanIn(scale, width: $0) }
      + parallelWidths.map { fanOut(scale, width: $0) }
      + parallelWidths.map { layeredGraph(scale, width: $0) }
      + widths.map { priorities(scale, width: $0) }
      + parallelWidths.map { producers(scale, width: $0) }
      + [1, 4, 16].map { scopes(scale, size: $0) }
      + [cancelling(scale)]
      + LatencyKind.allCases.map { latency(scale, $0) }
      + [latencyRelativeToTask(scale)]
      + [1, 2].map { latencyUnderLoad(scale, width: $0) }
      + [addDependencyWithoutLoop(scale), addDependencyWithSearch(scale)]
      + [0, 1, 100].map { observers(scale, observerCount: $0) }
      + [taskLocalValues(scale), freeLimit(scale), contendedLimit(scale), limitOfOneQueue(scale)]
      + [limitOfSome(scale), startRate(scale)]
      + [retry(scale), timeout(scale), observer(scale), journal(scale)]
      + [explanationOfChain(scale), explanationOfBacklog(scale), blocking(scale)]
      + SizedKind.allCases.map { sizes(scale, $0) }
      + counts(for: scale)
      + [false, true].map { growth(scale, isBacklog: $0) }
  }

  /// The main shapes, one operation at a time, for counts of instructions.
  static func mainShapes(for scale: Options.Scale) -> [Workload] {
    [
      asynchronousOneByOne(scale, width: 1), asynchronousBatch(scale, width: 1), chain(scale, width: 1),
      fanIn(scale, width: 1), layeredGraph(scale, width: 1), observed(scale, width: 1), journaled(scale, width: 1),
      inLine(scale, width: 1), scopes(scale, size: 4), observers(scale, observerCount: 100),
    ]
  }

  /// The workloads whose figures are the same in every run.
  static func counts(for scale: Options.Scale) -> [Workload] {
    AllocationKind.allCases.map { allocations(scale, $0) }
      + [asynchronousBatch(scale, width: 1), fanIn(scale, width: 1), layeredGraph(scale, width: 1)]
      .map { allocations(scale, of: $0) }
      + [false, true].map { pendingBytes(scale, hasDependency: $0) }
  }
}
