import Foundation
import StructuredOperations

extension Workload {
  /// A random graph in layers, each node of which depends on three nodes of the layer before, added as one array.
  ///
  /// The task group counts each node's unfinished dependencies and adds a child when none is left; it does not wait for
  /// whole layers. The graph is generated before the clock starts; adding the dependencies is timed.
  static func layeredGraph(_ scale: Options.Scale, width: Int) -> Workload {
    let graph = LayeredGraph(
      layerCount: scale.layerCount, layerSize: scale.layerSize, dependencyCount: 3, seed: 2_026)
    return Workload(
      name: "layered-graph/width-\(width)", rounds: scale.rounds, operationCount: graph.dependencies.count,
      timing: [
        .taskGroup: { counter in
          await BoundedTaskGroup.run(graph, width: width) { counter.increment() }
        },
        .objectGraph: { counter in
          let dependencies = graph.dependencies
          await ObjectGraph.run(count: dependencies.count, width: width, dependencies: { dependencies[$0] }) {
            counter.increment()
          }
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
