import StructuredOperations

extension Workload {
  /// Operations of a queue with a start rate that is never reached, relative to those of a queue without.
  static func startRate(_ scale: Options.Scale) -> Workload {
    let count = scale.operationCount
    // A hundred times of what a queue begins. The queue keeps as many starts as the rate counts.
    let rate = OperationStartRate(10_000, per: .microseconds(100))
    return relative(
      name: "start-rate/width-2", rounds: scale.rounds, operationCount: count,
      { await run(count, rate, $0) }, to: [("", { await run(count, nil, $0) })])
  }

  private static func run(_ count: Int, _ rate: OperationStartRate?, _ counter: Counter) async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2, startRate: rate)
    for _ in 0..<count { await queue.add(AsyncOperation(start: { counter.increment() })) }
    await queue.waitUntilAllOperationsAreFinished()
  }
}
