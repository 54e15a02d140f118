/// A graph with the times of its commands; operations and pools are numbers here, in the order of the graph.
struct TimedGraph: Sendable {
  let nodes: [Graph.Node]
  let times: CommandTimes
  /// The places of each pool.
  let depths: [Int]
  private let pools: [String: Int]
  /// The dependents of all operations, one operation after the other: an array for each would take several times as
  /// much memory.
  private var dependents: [Int]
  /// Where those of each operation begin, and where the last ones end.
  private var starts: [Int]

  /// O(n + number of dependencies).
  init(_ graph: Graph, _ times: CommandTimes) {
    nodes = graph.nodes
    self.times = times
    depths = graph.pools.map(\.depth)
    pools = Dictionary(uniqueKeysWithValues: zip(graph.pools.lazy.map(\.name), graph.pools.indices))

    let dependencies = nodes.lazy.map { $0.after.lazy.compactMap { times.number(of: $0) } }
    // First how many there are, one place late, then the sum of those before.
    starts = Array(repeating: 0, count: nodes.count + 1)
    for number in dependencies.joined() { starts[number + 1] += 1 }
    for number in nodes.indices { starts[number + 1] += starts[number] }
    dependents = Array(repeating: 0, count: starts[nodes.count])
    var next = starts
    for (dependent, dependencies) in zip(nodes.indices, dependencies) {
      for number in dependencies {
        dependents[next[number]] = dependent
        next[number] += 1
      }
    }
  }

  func dependents(of number: Int) -> ArraySlice<Int> { dependents[starts[number]..<starts[number + 1]] }

  func pools(of number: Int) -> [Int] { nodes[number].pools.compactMap { pools[$0] } }

  func duration(of number: Int) -> Duration { times.work[number] + times.pauses(of: number) }
}
