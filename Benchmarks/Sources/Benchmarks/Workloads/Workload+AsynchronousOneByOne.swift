import StructuredOperations

extension Workload {
  /// Asynchronous bodies that do next to nothing, added one after the other while the first already run.
  static func asynchronousOneByOne(count: Int, width: Int) -> Workload {
    Workload(
      name: "asynchronous-one-by-one/width-\(width)", operationCount: count, unit: .nanosecondsPerOperation
    ) { competitor, counter in
      switch competitor {
      case .taskGroup:
        await BoundedTaskGroup.run(count: count, width: width) { counter.increment() }
      case .asyncOperationQueue:
        let queue = AsyncOperationQueue(maxConcurrentOperationCount: width)
        for _ in 0..<count { await queue.add(AsyncOperation(start: { counter.increment() })) }
        await queue.waitUntilAllOperationsAreFinished()
      case .operationQueue:
        FoundationQueue.runOneByOne(count: count, width: width) { counter.increment() }
      }
    }
  }
}
