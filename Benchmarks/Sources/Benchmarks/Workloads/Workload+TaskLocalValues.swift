import StructuredOperations

extension Workload {
  /// The cost of a body that sees a task-local value of the task that adds it, relative to a body that sees none.
  ///
  /// Measured in two ways: the closure captures the one value, or each operation has an unstructured task, created when
  /// it is added, which inherits all values.
  static func taskLocalValues(_ scale: Options.Scale) -> Workload {
    let count = scale.operationCount
    return Workload(
      name: "task-local-values/width-2",
      figures: [Figure(name: "one-taken-over", unit: .ratio), Figure(name: "task-for-each", unit: .ratio)],
      rounds: scale.rounds, operationCount: count,
      [
        .asyncOperationQueue: {
          let none = await time(count) { queue, counter in await queue.add { () async in counter.increment() } }
          let one = await time(count) { queue, counter in
            let value = Tracing.value
            await queue.add { () async in Tracing.$value.withValue(value) { counter.increment() } }
          }
          let all = await time(count) { queue, counter in
            let (begin, continuation) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
              for await _ in begin {}
              counter.increment()
            }
            await queue.add {
              continuation.finish()
              await task.value
            }
          }
          return [one / none, all / none]
        }
      ])
  }

  private enum Tracing {
    @TaskLocal static var value = 0
  }

  private static func time(
    _ count: Int,
    _ add: (AsyncOperationQueue, Counter) async -> Void
  ) async -> Double {
    let counter = Counter()
    let nanoseconds = await Stopwatch.time {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
      await Tracing.$value.withValue(1) {
        for _ in 0..<count { await add(queue, counter) }
      }
      await queue.waitUntilAllOperationsAreFinished()
    }
    counter.check(count, in: "task-local-values")
    return nanoseconds
  }
}
