import Foundation
import StructuredOperations

extension Workload {
  /// A random graph in layers, each node of which depends on three of the layer before, added as one array.
  ///
  /// The task group counts for each node what it still waits for, and adds a child when that is nothing; it does not
  /// wait for whole layers. The graph itself is there before the clock runs, the edges are made while it does.
  static func layeredGraph(_ scale: Options.Scale, width: Int) -> Workload {
    let graph = LayeredGraph(
      layerCount: scale.layerCount, layerSize: scale.layerSize, dependencyCount: 3, seed: 2_026)
    return Workload(
      name: "layered-graph/width-\(width)", rounds: scale.rounds, operationCount: graph.dependencies.count,
      timing: [
        .taskGroup: { counter in
          await BoundedTaskGroup.run(graph, width: width) { counter.increment() }
        },
        .asyncOperationQueue: { counter in
          let queue = AsyncOperationQueue(maxConcurrentOperationCount: width)
          var operations: [AsyncOperation<Void>] = []
          for dependencies in graph.dependencies {
            let operation = AsyncOperation(start: { counter.increment() })
            for dependency in dependencies { await operation.depend(on: operations[dependency]) }
            operations.append(operation)
          }
          await queue.add(operations)
          await queue.waitUntilAllOperationsAreFinished()
        },
        .operationQueue: { counter in
          await FoundationQueue.run(width: width) { queue in
            var operations: [BlockOperation] = []
            for dependencies in graph.dependencies {
              let operation = BlockOperation { counter.increment() }
              for dependency in dependencies { operation.addDependency(operations[dependency]) }
              operations.append(operation)
            }
            queue.addOperations(operations, waitUntilFinished: true)
          }
        },
      ])
  }
}
