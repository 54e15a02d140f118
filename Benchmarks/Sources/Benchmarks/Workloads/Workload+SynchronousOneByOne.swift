import StructuredOperations

extension Workload {
  /// Synchronous bodies that do next to nothing, added one after the other while the first already run.
  ///
  /// The queue of this package runs them on threads of its own, where they may block. The task group does not, and
  /// pays nothing for it.
  static func synchronousOneByOne(count: Int, width: Int) -> Workload {
    Workload(
      name: "synchronous-one-by-one/width-\(width)", operationCount: count, unit: .nanosecondsPerOperation
    ) { competitor, counter in
      switch competitor {
      case .taskGroup:
        await BoundedTaskGroup.run(count: count, width: width) { counter.increment() }
      case .asyncOperationQueue:
        let queue = AsyncOperationQueue(maxConcurrentOperationCount: width)
        for _ in 0..<count { await queue.add(AsyncOperation(main: { counter.increment() })) }
        await queue.waitUntilAllOperationsAreFinished()
      case .operationQueue:
        FoundationQueue.runOneByOne(count: count, width: width) { counter.increment() }
      }
    }
  }
}
