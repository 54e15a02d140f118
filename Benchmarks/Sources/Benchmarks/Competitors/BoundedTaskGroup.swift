/// The floor: a hand-written task group with a bounded number of children.
///
/// It has no operations, hence no states, dependencies, priorities or cancellation of a single one. If a workload needs
/// one of these, the code around the group does the necessary minimum.
enum BoundedTaskGroup {
  /// Runs a body a number of times.
  static func run(count: Int, width: Int, body: @escaping @Sendable () async -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<count {
        if index >= width { await group.next() }
        group.addTask(operation: body)
      }
    }
  }

  /// Runs the bodies of a sequence as they arrive.
  static func run<Bodies: AsyncSequence<@Sendable () async -> Void, Never> & Sendable>(
    _ bodies: Bodies, width: Int
  ) async {
    await withTaskGroup(of: Void.self) { group in
      var runningCount = 0
      for await body in bodies {
        if runningCount == width { await group.next() } else { runningCount += 1 }
        group.addTask(operation: body)
      }
    }
  }

  /// Runs a body for each node of a graph, after the nodes that it depends on.
  ///
  /// The task that owns the group counts the unfinished dependencies of each node.
  static func run(_ graph: LayeredGraph, width: Int, body: @escaping @Sendable () async -> Void) async {
    var dependents = [[Int]](repeating: [], count: graph.dependencies.count)
    var missing: [Int] = []
    var ready: [Int] = []
    for (node, dependencies) in graph.dependencies.enumerated() {
      missing.append(dependencies.count)
      if dependencies.isEmpty { ready.append(node) }
      for dependency in dependencies { dependents[dependency].append(node) }
    }
    await withTaskGroup(of: Int.self) { group in
      var runningCount = 0
      // A queue: read at the front, appended at the back.
      var position = 0
      while true {
        while runningCount < width, position < ready.count {
          let node = ready[position]
          position += 1
          runningCount += 1
          group.addTask {
            await body()
            return node
          }
        }
        guard let finished = await group.next() else { return }
        runningCount -= 1
        for dependent in dependents[finished] {
          missing[dependent] -= 1
          if missing[dependent] == 0 { ready.append(dependent) }
        }
      }
    }
  }
}
