/// What the summary says about the time of a run: which commands it took at least, how busy the slots were, and what
/// more slots would have brought.
struct TimeNote: Sendable {
  /// The most operations of a path that are named at each end.
  private static let nameCount = 2
  /// The most columns of a name.
  private static let nameWidth = 40

  /// Nil where it would tell nothing: of a single command.
  let line: String?

  init(_ graph: Graph, _ times: CommandTimes, width: Int, time: Duration) {
    guard times.work.count(where: { $0 > .zero }) > 1 else {
      line = nil
      return
    }
    let timed = TimedGraph(graph, times)
    let path = LongestPath(timed)
    let names = path.operations.filter { times.work[$0] > .zero }.map { graph.nodes[$0].id }
    line =
      "critical path: \(Self.text(of: names)), \(path.duration.secondsText) of \(time.secondsText)"
      + "; slots \(Self.percent(times.work.reduce(.zero, +), of: time, width)) % busy\(Self.doubled(timed, width, time))"
  }

  private static func text(of names: [String]) -> String {
    let names = names.map { $0.cutInTheMiddle(toWidth: nameWidth) }
    let rest = names.count - 2 * nameCount
    guard rest > 1 else { return names.joined(separator: " -> ") }
    return (names.prefix(nameCount) + ["(\(rest) more)"] + names.suffix(nameCount)).joined(separator: " -> ")
  }

  private static func percent(_ work: Duration, of time: Duration, _ width: Int) -> Int {
    Int(min(100, (work / time / Double(width) * 100).rounded()))
  }

  /// What twice as many slots would have saved is taken off the time of the run, which has more in it than commands.
  private static func doubled(_ graph: TimedGraph, _ width: Int, _ time: Duration) -> String {
    // More slots than operations change nothing.
    guard width < graph.nodes.count else { return "" }
    let double = SlotReplay.duration(of: graph, width: 2 * width)
    let saving = SlotReplay.duration(of: graph, width: width) - double
    let isWorthwhile = saving > .zero && saving * 100 >= time
    return "; -j\(2 * width) would have taken \(isWorthwhile ? "about \((time - saving).secondsText)" : "as long")"
  }
}
