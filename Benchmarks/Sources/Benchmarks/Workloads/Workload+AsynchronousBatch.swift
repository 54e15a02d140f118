import StructuredOperations

extension Workload {
  /// Asynchronous bodies that do next to nothing, added as one array.
  static func asynchronousBatch(count: Int, width: Int) -> Workload {
    Workload(
      name: "asynchronous-batch/width-\(width)", operationCount: count, unit: .nanosecondsPerOperation
    ) { competitor, counter in
      switch competitor {
      case .taskGroup:
        await BoundedTaskGroup.run(count: count, width: width) { counter.increment() }
      case .asyncOperationQueue:
        let queue = AsyncOperationQueue(maxConcurrentOperationCount: width)
        await queue.add((0..<count).map { _ in AsyncOperation(start: { counter.increment() }) })
        await queue.waitUntilAllOperationsAreFinished()
      case .operationQueue:
        FoundationQueue.runBatch(count: count, width: width) { counter.increment() }
      }
    }
  }
}
