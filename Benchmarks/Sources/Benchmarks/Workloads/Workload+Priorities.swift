import Foundation
import StructuredOperations

extension Workload {
  /// Operations of five priorities, all of which wait before the first runs.
  ///
  /// The queues are suspended while operations are added one by one, and then resumed. The task group keeps the bodies
  /// in five arrays and runs these from the highest priority to the lowest.
  static func priorities(_ scale: Options.Scale, width: Int) -> Workload {
    let levels: [(ours: QueuePriority, foundation: Operation.QueuePriority)] = [
      (.veryLow, .veryLow), (.low, .low), (.normal, .normal), (.high, .high), (.veryHigh, .veryHigh),
    ]
    var generator = SeededGenerator(seed: 2_026)
    let sequence = (0..<scale.backlogCount).map { _ in Int.random(in: levels.indices, using: &generator) }
    return Workload(
      name: "priorities/width-\(width)", rounds: scale.rounds, operationCount: sequence.count,
      timing: [
        .taskGroup: { counter in
          var waiting = [[@Sendable () async -> Void]](repeating: [], count: levels.count)
          for level in sequence { waiting[level].append { counter.increment() } }
          await withTaskGroup(of: Void.self) { group in
            var startedCount = 0
            for body in waiting.reversed().joined() {
              if startedCount >= width { await group.next() }
              startedCount += 1
              group.addTask(operation: body)
            }
          }
        },
        .asyncOperationQueue: { counter in
          let queue = AsyncOperationQueue(maxConcurrentOperationCount: width, isSuspended: true)
          for level in sequence {
            await queue.add(AsyncOperation(queuePriority: levels[level].ours, start: { counter.increment() }))
          }
          await queue.resume()
          await queue.waitUntilAllOperationsAreFinished()
        },
        .operationQueue: { counter in
          await FoundationQueue.run(width: width) { queue in
            queue.isSuspended = true
            for level in sequence {
              let operation = BlockOperation { counter.increment() }
              operation.queuePriority = levels[level].foundation
              queue.addOperation(operation)
            }
            queue.isSuspended = false
          }
        },
      ])
  }
}
