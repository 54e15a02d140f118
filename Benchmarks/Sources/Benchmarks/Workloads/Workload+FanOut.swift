import Foundation
import StructuredOperations

extension Workload {
  /// One operation and many that depend on it, added as one array.
  ///
  /// The task group runs the first body, waits for it and runs the many.
  static func fanOut(_ scale: Options.Scale, width: Int) -> Workload {
    let count = scale.linkedCount
    return Workload(
      name: "fan-out/width-\(width)", rounds: scale.rounds, operationCount: count + 1,
      timing: [
        .taskGroup: { counter in
          await BoundedTaskGroup.run(count: 1, width: width) { counter.increment() }
          await BoundedTaskGroup.run(count: count, width: width) { counter.increment() }
        },
        .objectGraph: { counter in
          await ObjectGraph.run(count: count + 1, width: width, dependencies: { 0..<min($0, 1) }) {
            counter.increment()
          }
        },
        .asyncOperationQueue: { counter in
          let queue = AsyncOperationQueue(maxConcurrentOperationCount: width)
          let first = AsyncOperation(start: { counter.increment() })
          var operations = [first]
          for _ in 0..<count {
            let operation = AsyncOperation(start: { counter.increment() })
            await operation.depend(on: first)
            operations.append(operation)
          }
          await queue.add(operations)
          await queue.waitUntilAllOperationsAreFinished()
        },
        .operationQueue: { counter in
          await FoundationQueue.run(width: width) { queue in
            let first = BlockOperation { counter.increment() }
            var operations = [first]
            for _ in 0..<count {
              let operation = BlockOperation { counter.increment() }
              operation.addDependency(first)
              operations.append(operation)
            }
            queue.addOperations(operations, waitUntilFinished: true)
          }
        },
      ])
  }
}
