/// The floor: a task group with a window of children, as one writes it by hand where no queue is wanted.
///
/// It has no operations, so no state, dependencies, priorities or cancellation of a single one. Where a workload has
/// such a thing, the code around the group does what is necessary and no more.
enum BoundedTaskGroup {
  /// Runs one body so many times.
  static func run(count: Int, width: Int, body: @escaping @Sendable () async -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<count {
        if index >= width { await group.next() }
        group.addTask(operation: body)
      }
    }
  }

  /// Runs the bodies of a sequence, as they come.
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

  /// Runs a body for each node of a graph, once those that it depends on have run.
  ///
  /// What is left to wait for is counted for each node by the task that owns the group.
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
      // Read from the front, written at the back.
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
