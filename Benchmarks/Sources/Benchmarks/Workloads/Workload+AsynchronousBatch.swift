import StructuredOperations

extension Workload {
  /// Asynchronous bodies that increment a counter, added as one array.
  ///
  /// The task group and Dispatch cannot add a batch; they do the same as in the one-by-one workload.
  static func asynchronousBatch(_ scale: Options.Scale, width: Int) -> Workload {
    let count = scale.operationCount
    return Workload(
      name: "asynchronous-batch/width-\(width)", rounds: scale.rounds, operationCount: count,
      timing: [
        .taskGroup: { counter in
          await BoundedTaskGroup.run(count: count, width: width) { counter.increment() }
        },
        .asyncOperationQueue: { counter in
          let queue = AsyncOperationQueue(maxConcurrentOperationCount: width)
          await queue.add((0..<count).map { _ in AsyncOperation(start: { counter.increment() }) })
          await queue.waitUntilAllOperationsAreFinished()
        },
        .operationQueue: { counter in
          await FoundationQueue.runBatch(count: count, width: width) { counter.increment() }
        },
        .dispatch: { counter in
          await DispatchWindow.run(count: count, width: width) { counter.increment() }
        },
      ])
  }
}
