/// The dependent operations that take the longest together: what a run takes at least, however many run at a time.
struct LongestPath: Sendable {
  /// The numbers of the operations, the first one first.
  let operations: [Int]
  let duration: Duration

  /// O(n + number of dependencies).
  init(_ graph: TimedGraph) {
    var missing = graph.nodes.map(\.after.count)
    // When the last dependency ends, and which one that is.
    var begins = [Duration](repeating: .zero, count: missing.count)
    var causes = [Int?](repeating: nil, count: missing.count)
    var ready = missing.indices.filter { missing[$0] == 0 }
    var last: Int?
    var duration = Duration.zero
    while let number = ready.popLast() {
      let end = begins[number] + graph.duration(of: number)
      if last == nil || end > duration { (last, duration) = (number, end) }
      for dependent in graph.dependents(of: number) {
        if causes[dependent] == nil || end > begins[dependent] {
          (causes[dependent], begins[dependent]) = (number, end)
        }
        missing[dependent] -= 1
        if missing[dependent] == 0 { ready.append(dependent) }
      }
    }
    var way: [Int] = []
    while let number = last {
      way.append(number)
      last = causes[number]
    }
    operations = way.reversed()
    self.duration = duration
  }
}
