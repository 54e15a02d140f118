import StructuredOperations

extension Workload {
  /// The cost of a dependency that cannot close a loop, in graphs of several sizes.
  ///
  /// Operations on which nobody depends get a dependency on one in the last layer of a layered graph, so that all the
  /// layers are ahead of them. The last figure is the ratio of the cost in the largest graph to that in the smallest.
  static func addDependencyWithoutLoop(_ scale: Options.Scale) -> Workload {
    let sizes = scale.graphSizes
    let layerSize = scale.layerSize
    let count = 10_000
    return Workload(
      name: "add-dependency/no-loop-possible",
      figures: sizes.map { Figure(name: "\($0)", unit: .nanosecondsPerOperation) }
        + [Figure(name: "\(sizes[sizes.count - 1])-to-\(sizes[0])", unit: .ratio)],
      rounds: scale.rounds, operationCount: count * sizes.count, isCounted: false,
      [
        .asyncOperationQueue: {
          var costs: [Double] = []
          for size in sizes {
            let graph = LayeredGraph(
              layerCount: size / layerSize, layerSize: layerSize, dependencyCount: 3, seed: 2_026)
            var members: [AsyncOperation<Void>] = []
            for dependencies in graph.dependencies {
              let member = AsyncOperation(start: {})
              for dependency in dependencies { await member.depend(on: members[dependency]) }
              members.append(member)
            }
            let last = members.suffix(layerSize)
            let newcomers = (0..<count).map { _ in AsyncOperation(start: {}) }
            let nanoseconds = await Stopwatch.time {
              for (index, newcomer) in newcomers.enumerated() {
                await newcomer.depend(on: last[last.startIndex + index % layerSize])
              }
            }
            costs.append(nanoseconds / Double(count))
          }
          return costs + [costs[costs.count - 1] / costs[0]]
        }
      ])
  }

  /// The cost of a dependency that could close a loop and does not, by what there is to search.
  ///
  /// The last operation of a chain becomes the dependency of the first one of another, which is as long: so many are ahead
  /// of the one, and so many come after the other. The last figure has the longest chain ahead, and one that comes after.
  static func addDependencyWithSearch(_ scale: Options.Scale) -> Workload {
    let lengths = scale.searchedCounts
    let longest = lengths[lengths.count - 1]
    let count = 100
    return Workload(
      name: "add-dependency/loop-possible",
      figures: lengths.map { Figure(name: "\($0)", unit: .nanosecondsPerOperation) }
        + [Figure(name: "\(longest)-and-1-after", unit: .nanosecondsPerOperation)],
      rounds: scale.rounds, operationCount: count * (lengths.count + 1), isCounted: false,
      [
        .asyncOperationQueue: {
          var costs: [Double] = []
          for (ahead, after) in lengths.map({ ($0, $0) }) + [(longest, 1)] {
            let before = await chain(ahead)
            let behind = await chain(after + 1)
            var nanoseconds = 0.0
            for _ in 0..<count {
              nanoseconds += await Stopwatch.time { await behind[0].depend(on: before[ahead - 1]) }
              await behind[0].removeDependency(before[ahead - 1])
            }
            costs.append(nanoseconds / Double(count))
          }
          return costs
        }
      ])
  }

  private static func chain(_ count: Int) async -> [AsyncOperation<Void>] {
    let operations = (0..<count).map { _ in AsyncOperation(start: {}) }
    for index in operations.indices.dropFirst() { await operations[index].depend(on: operations[index - 1]) }
    return operations
  }
}
