import Synchronization

/// A plain graph of objects around a bounded task group, written by hand.
///
/// Each object has a lock, since in a library anybody may add a dependency while others run. It has no states, priority,
/// cancellation, or outcome, and no loop is looked for.
enum ObjectGraph {
  /// Runs a body for each of some objects, after those that it depends on.
  ///
  /// - Parameter dependencies: The numbers of the objects that an object depends on, all of them lower than its own.
  static func run<Dependencies: Sequence<Int>>(
    count: Int,
    width: Int,
    dependencies: (Int) -> Dependencies,
    body: @escaping @Sendable () async -> Void
  ) async {
    var nodes: [Node] = []
    for index in 0..<count {
      let node = Node(body: body)
      for dependency in dependencies(index) { node.depend(on: nodes[dependency]) }
      nodes.append(node)
    }
    await run(nodes, width: width)
  }

  private static func run(_ nodes: [Node], width: Int) async {
    var ready = nodes.filter(\.isReady)
    await withTaskGroup(of: Node.self) { group in
      var runningCount = 0
      // A queue: read at the front, appended at the back.
      var position = 0
      while true {
        while runningCount < width, position < ready.count {
          let node = ready[position]
          position += 1
          runningCount += 1
          group.addTask {
            await node.body()
            return node
          }
        }
        guard let finished = await group.next() else { return }
        runningCount -= 1
        ready += finished.finish()
      }
    }
  }

  private final class Node: Sendable {
    private struct State {
      var missingCount = 0
      var dependents: [Node] = []
      var isFinished = false
    }

    let body: @Sendable () async -> Void
    private let state = Mutex(State())

    init(body: @escaping @Sendable () async -> Void) {
      self.body = body
    }

    var isReady: Bool { state.withLock { $0.missingCount == 0 } }

    func depend(on other: Node) {
      let isUnfinished = other.state.withLock { state in
        if !state.isFinished { state.dependents.append(self) }
        return !state.isFinished
      }
      if isUnfinished { state.withLock { $0.missingCount += 1 } }
    }

    /// - Returns: Those that are ready now.
    func finish() -> [Node] {
      let dependents = state.withLock { state in
        state.isFinished = true
        defer { state.dependents = [] }
        return state.dependents
      }
      return dependents.filter { dependent in
        dependent.state.withLock { state in
          state.missingCount -= 1
          return state.missingCount == 0
        }
      }
    }
  }
}
