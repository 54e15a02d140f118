import StructuredOperations

// The queue of this package runs synchronous bodies on threads of its own, where they may block. The task group does
// not, and pays nothing for it: it is no measure here, and shown only because it is there.
extension Workload {
  /// Synchronous bodies that do next to nothing, added one after the other while the first already run.
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
          for _ in 0..<count { await queue.add(AsyncOperation(main: { counter.increment() })) }
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
