/// The line on a terminal that tells how far the run is; writes nothing.
struct StatusLine: Sendable {
  /// The least time between two redraws, so that they cost nothing beside the commands.
  static let shortestInterval = Duration.milliseconds(100)
  /// The most, so that the seconds go on while nothing happens.
  static let longestInterval = Duration.seconds(1)

  /// Moves to the start of the line and erases it.
  static let erasure = Array("\r\u{1B}[K".utf8)

  private struct Running {
    let id: String
    let started: Duration
  }

  private var running: [String: Running] = [:]

  mutating func received(_ event: RunEvent, at time: Duration) {
    switch event {
    case .started(let id), .resumed(let id): running[id] = Running(id: id, started: time)
    // Nothing of it runs during the pause.
    case .ended(let id, _), .retrying(let id, _, attempt: _, delay: _): running[id] = nil
    case .output, .notRun: break
    }
  }

  /// The line, with those commands first that have run the longest; it leaves the last column free, where terminals
  /// differ in whether they go on to the next line.
  func text(_ tally: Tally, at time: Duration, columns: Int) -> String {
    var counts = "[\(tally.finished)/\(tally.total)] \(running.count) running"
    if tally.failed > 0 { counts += ", \(tally.failed) failed" }
    counts += ", \(time.roughText)"
    // No more than can be seen: there may be hundreds.
    let names = longestRunning(columns / 6 + 1).map { "\($0.id) (\((time - $0.started).roughText))" }
    guard !names.isEmpty else { return counts.cut(toWidth: columns - 1) }
    return "\(counts): \(names.joined(separator: ", "))".cut(toWidth: columns - 1)
  }

  private func longestRunning(_ count: Int) -> ArraySlice<Running> {
    running.values.sorted { ($0.started, $0.id) < ($1.started, $1.id) }.prefix(count)
  }
}
