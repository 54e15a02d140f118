import StructuredOperations

// The queue of this package runs synchronous bodies on threads of its own, where they may block. The task group runs
// them on the cooperative pool and saves that cost, so it is shown for completeness and is no target here.
extension Workload {
  /// Synchronous bodies that increment a counter, added one by one while the first already run.
  static func synchronousOneByOne(_ scale: Options.Scale, width: Int) -> Workload {
    let count = scale.operationCount
    return Workload(
      name: "synchronous-one-by-one/width-\(width)", rounds: scale.rounds, operationCount: count,
      timing: [
        .taskGroup: { counter in
          await BoundedTaskGroup.run(count: count, width: width) { counter.increment() }
        },
        .asyncOperationQueue: { counter in
          let queue = AsyncOperationQueue(maxConcurrentOperationCount: width)
          for _ in 0..<count { await queue.add(main: { counter.increment() }) }
          await queue.waitUntilAllOperationsAreFinished()
        },
        .operationQueue: { counter in
          await FoundationQueue.runOneByOne(count: count, width: width) { counter.increment() }
        },
        .dispatch: { counter in
          await DispatchWindow.run(count: count, width: width) { counter.increment() }
        },
      ])
  }
}
