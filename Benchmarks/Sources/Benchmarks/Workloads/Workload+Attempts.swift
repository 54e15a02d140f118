import StructuredOperations

// Around bodies that succeed at once: what is told is the cost of having a second attempt, or an end, at hand.
extension Workload {
  /// Bodies with retries that none of them needs, relative to bodies without.
  static func retry(_ scale: Options.Scale) -> Workload {
    let count = scale.operationCount
    let policy = OperationRetryPolicy.exponential(from: .milliseconds(100), upTo: .seconds(10), attempts: 5)
    return relative(
      name: "retry/width-2", rounds: scale.rounds, operationCount: count,
      { counter in
        await run(count) { try await withOperationRetry(policy) { counter.increment() } }
      },
      to: [("", { counter in await run(count) { counter.increment() } })])
  }

  /// Bodies with a time-out, relative to bodies without, and to bodies that do their work in a child task.
  static func timeout(_ scale: Options.Scale) -> Workload {
    let count = scale.operationCount
    return relative(
      name: "timeout/width-2", rounds: scale.rounds, operationCount: count,
      { counter in
        await run(count) { try await withOperationTimeout(.seconds(60)) { counter.increment() } }
      },
      to: [
        ("to-none", { counter in await run(count) { counter.increment() } }),
        (
          "to-child-task",
          { counter in
            await run(count) {
              await withTaskGroup(of: Void.self) { group in
                group.addTask { counter.increment() }
                await group.next()
              }
            }
          }
        ),
      ])
  }

  private static func run(_ count: Int, _ body: @escaping @Sendable () async throws -> Void) async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
    for _ in 0..<count { await queue.add(AsyncOperation(start: body)) }
    await queue.waitUntilAllOperationsAreFinished()
  }
}
