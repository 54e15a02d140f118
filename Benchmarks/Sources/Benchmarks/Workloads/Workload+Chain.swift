import Foundation
import StructuredOperations

extension Workload {
  /// Operations each of which depends on the one before it, added as one array.
  ///
  /// The task group awaits each child before it starts the next, whatever the width.
  static func chain(_ scale: Options.Scale, width: Int) -> Workload {
    let count = scale.linkedCount
    return Workload(
      name: "chain/width-\(width)", rounds: scale.rounds, operationCount: count,
      timing: [
        .taskGroup: { counter in
          await BoundedTaskGroup.run(count: count, width: 1) { counter.increment() }
        },
        .objectGraph: { counter in
          await ObjectGraph.run(count: count, width: width, dependencies: { max($0 - 1, 0)..<$0 }) {
            counter.increment()
          }
        },
        .asyncOperationQueue: { counter in
          let queue = AsyncOperationQueue(maxConcurrentOperationCount: width)
          let operations = (0..<count).map { _ in AsyncOperation(start: { counter.increment() }) }
          for index in 1..<count { await operations[index].depend(on: operations[index - 1]) }
          await queue.add(operations)
          await queue.waitUntilAllOperationsAreFinished()
        },
        .operationQueue: { counter in
          await FoundationQueue.run(width: width) { queue in
            let operations = (0..<count).map { _ in BlockOperation { counter.increment() } }
            for index in 1..<count { operations[index].addDependency(operations[index - 1]) }
            queue.addOperations(operations, waitUntilFinished: true)
          }
        },
      ])
  }
}
