import StructuredOperations

@testable import StructuredOperationsInsight

/// Histories of operations that ran one after the other in the order of addition, all added at time 0.
struct Schedule {
  struct Node {
    var seconds: Int
    var dependencies: [Int] = []
    var priority = QueuePriority.normal
  }

  var nodes: [Node] = []

  /// - Returns: The index.
  @discardableResult
  mutating func add(_ seconds: Int, after dependencies: Int..., priority: QueuePriority = .normal) -> Int {
    nodes.append(Node(seconds: seconds, dependencies: dependencies, priority: priority))
    return nodes.count - 1
  }

  static func random(_ count: Int, seed: UInt64) -> Schedule {
    var generator = RandomNumbers(seed: seed)
    var schedule = Schedule()
    for number in 0..<count {
      let dependencies =
        number == 0
        ? []
        : (0..<Int.random(in: 0..<3, using: &generator)).map { _ in
          Int.random(in: 0..<number, using: &generator)
        }
      schedule.nodes.append(
        Node(
          seconds: Int.random(in: 1...30, using: &generator), dependencies: Array(Set(dependencies)),
          priority: QueuePriority.allCases.randomElement(using: &generator) ?? .normal))
    }
    return schedule
  }

  /// Ids are indices.
  var history: OperationHistory {
    var time = Duration.zero
    var ends: [Duration] = []
    let operations = nodes.enumerated().map { index, node in
      let start = time
      time += .seconds(node.seconds)
      let last = node.dependencies.max { ends[$0] < ends[$1] }
      ends.append(time)
      var spans: [OperationHistory.Span] = []
      let readyAt = last.map { ends[$0] } ?? .zero
      if readyAt > .zero {
        spans.append(OperationHistory.Span(kind: .blocked, start: .zero, end: readyAt, slot: nil, cause: last))
      }
      if start > readyAt {
        spans.append(OperationHistory.Span(kind: .ready, start: readyAt, end: start, slot: nil, cause: nil))
      }
      spans.append(OperationHistory.Span(kind: .executing, start: start, end: time, slot: 1, cause: nil))
      return OperationHistory.Entry(
        id: index, name: "\(index)", queue: "queue", queuePriority: node.priority, outcome: .succeeded,
        isCancelled: false, dependencies: node.dependencies, parent: nil, addedAt: .zero, finishedAt: time,
        spans: spans, queueNumber: 1)
    }
    return OperationHistory(operations: operations, time: time)
  }

  /// The longest way through the graph, found by going through all ways.
  var longestPath: Int {
    func longest(to index: Int) -> Int {
      nodes[index].seconds + (nodes[index].dependencies.map { longest(to: $0) }.max() ?? 0)
    }
    return nodes.indices.map { longest(to: $0) }.max() ?? 0
  }

  /// How long it takes in so many slots, found by going from second to second.
  func duration(atWidth width: Int) -> Int {
    var (now, waiting, running) = (0, Array(nodes.indices), [(index: Int, end: Int)]())
    var finished: Set<Int> = []
    func begin() {
      while running.count < width {
        let ready = waiting.filter { nodes[$0].dependencies.allSatisfy(finished.contains) }
        let first = ready.min { (nodes[$1].priority, $0) < (nodes[$0].priority, $1) }
        guard let first else { return }
        waiting.removeAll { $0 == first }
        running.append((first, now + nodes[first].seconds))
      }
    }
    begin()
    while !running.isEmpty {
      now += 1
      while let position = running.firstIndex(where: { $0.end == now }) {
        finished.insert(running.remove(at: position).index)
        begin()
      }
    }
    return now
  }
}
