@testable import opgraph

extension CommandTimes {
  /// Of commands that took so many seconds, and succeeded at once.
  init(_ graph: Graph, seconds: [String: Int]) {
    self.init(graph)
    for (id, seconds) in seconds {
      received(.ended(id: id, .result(.exited(status: 0), after: .seconds(seconds))))
    }
  }
}
