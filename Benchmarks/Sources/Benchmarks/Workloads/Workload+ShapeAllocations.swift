extension Workload {
  /// The number of blocks that a shape allocates per operation, from its creation until it is freed.
  ///
  /// For shapes that add all operations at once and run one at a time: with others the count depends on timing.
  static func allocations(_ scale: Options.Scale, of shape: Workload) -> Workload {
    let count = shape.operationCount
    let contestants = shape.contestants.map { contestant in
      let run: Run = { [await Allocations.count { _ = await contestant.run() } / Double(count)] }
      return (contestant.competitor, run)
    }
    return Workload(
      name: "mallocs/\(shape.name)", figures: [Figure(name: "", unit: .allocationsPerOperation)],
      rounds: scale.countingRounds, operationCount: count, isCounted: false,
      Dictionary(uniqueKeysWithValues: contestants))
  }
}
