import StructuredOperations

extension Workload {
  /// An explanation of a suspended queue with a chain of operations, with all reasons and roots.
  static func explanationOfChain(_ scale: Options.Scale) -> Workload {
    let count = scale.operationCount
    return Workload(
      name: "explanation/chain", figures: [Figure(name: "", unit: .nanosecondsPerOperation)], rounds: scale.rounds,
      operationCount: count,
      [
        .asyncOperationQueue: {
          let queue = AsyncOperationQueue(isSuspended: true)
          await queue.add(await chain(count))
          let nanoseconds = await Stopwatch.time { await explain(queue) }
          await queue.resume()
          await queue.waitUntilAllOperationsAreFinished()
          return [nanoseconds / Double(count)]
        }
      ])
  }

  /// An explanation of a queue of 10 000, half of which lack the only slot, while the others depend on one another.
  ///
  /// It is asked for twice: with nothing else going on, and while the slot passes from one short operation to the next.
  /// For comparison the slot does so as long beside a task that only computes.
  static func explanationOfBacklog(_ scale: Options.Scale) -> Workload {
    let count = 10_000
    let name = "explanation/\(count)"
    return Workload(
      name: name,
      figures: [
        Figure(name: "time", unit: .milliseconds), Figure(name: "queue-held-up", unit: .milliseconds),
        Figure(name: "held-up-otherwise", unit: .milliseconds),
      ],
      rounds: scale.rounds, operationCount: count, isCounted: false,
      [
        .asyncOperationQueue: {
          let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
          let (gate, opener) = AsyncStream.makeStream(of: Void.self)
          let holder = AsyncOperation(start: { for await _ in gate {} })
          await queue.add(holder)
          let counter = Counter()
          let ready = (0..<count / 2).map { _ in AsyncOperation(start: { counter.increment() }) }
          let linked = await chain(count - ready.count)
          if let first = linked.first { await first.depend(on: holder) }
          await queue.add(ready + linked)
          let time = await Stopwatch.time { await explain(queue) }
          let gaps = await Relay.worstGaps(
            in: queue, start: { opener.finish() },
            during: [
              {
                await explain(queue)
                precondition(counter.value == 0, "operations of the backlog began in \(name)")
              },
              {
                let stopwatch = Stopwatch()
                while stopwatch.nanoseconds < time {}
              },
            ])
          await queue.cancelAllOperations()
          await queue.waitUntilAllOperationsAreFinished()
          return ([time] + gaps).map { $0 / 1_000_000 }
        }
      ])
  }

  private static func chain(_ count: Int) async -> [AsyncOperation<Void>] {
    var operations: [AsyncOperation<Void>] = []
    for _ in 0..<count {
      let operation = AsyncOperation {}
      if let last = operations.last { await operation.depend(on: last) }
      operations.append(operation)
    }
    return operations
  }

  /// Reads all reasons and roots.
  private static func explain(_ queue: AsyncOperationQueue) async {
    for explanation in await queue.explanation { precondition(explanation.rootCauses.count <= 1) }
  }
}
