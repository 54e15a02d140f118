import StructuredOperations

extension Workload {
  /// Asynchronous bodies that increment a counter, added one by one while the first already run.
  static func asynchronousOneByOne(_ scale: Options.Scale, width: Int) -> Workload {
    let count = scale.operationCount
    return Workload(
      name: "asynchronous-one-by-one/width-\(width)", rounds: scale.rounds, operationCount: count,
      timing: [
        .taskGroup: { counter in
          await BoundedTaskGroup.run(count: count, width: width) { counter.increment() }
        },
        .asyncOperationQueue: { counter in
          let queue = AsyncOperationQueue(maxConcurrentOperationCount: width)
          for _ in 0..<count { await queue.add(start: { counter.increment() }) }
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
