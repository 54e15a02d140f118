import Foundation
import StructuredOperations

extension Workload {
  /// Many operations and a last one that depends on all of them, added as one array.
  ///
  /// The task group runs the many bodies, waits for all of them and runs the last.
  static func fanIn(_ scale: Options.Scale, width: Int) -> Workload {
    let count = scale.linkedCount
    return Workload(
      name: "fan-in/width-\(width)", rounds: scale.rounds, operationCount: count + 1,
      timing: [
        .taskGroup: { counter in
          await BoundedTaskGroup.run(count: count, width: width) { counter.increment() }
          await BoundedTaskGroup.run(count: 1, width: width) { counter.increment() }
        },
        .objectGraph: { counter in
          await ObjectGraph.run(count: count + 1, width: width, dependencies: { 0..<($0 == count ? count : 0) }) {
            counter.increment()
          }
        },
        .asyncOperationQueue: { counter in
          let queue = AsyncOperationQueue(maxConcurrentOperationCount: width)
          var operations = (0..<count).map { _ in AsyncOperation(start: { counter.increment() }) }
          let last = AsyncOperation(start: { counter.increment() })
          for operation in operations { await last.depend(on: operation) }
          operations.append(last)
          await queue.add(operations)
          await queue.waitUntilAllOperationsAreFinished()
        },
        .operationQueue: { counter in
          await FoundationQueue.run(width: width) { queue in
            var operations = (0..<count).map { _ in BlockOperation { counter.increment() } }
            let last = BlockOperation { counter.increment() }
            for operation in operations { last.addDependency(operation) }
            operations.append(last)
            queue.addOperations(operations, waitUntilFinished: true)
          }
        },
      ])
  }
}
