import Foundation
import StructuredOperations

extension Workload {
  /// The number of blocks allocated per operation, from its creation until it is freed.
  ///
  /// All operations are added one by one to a suspended queue and then run one at a time, so that the count does not
  /// depend on timing. With a dependency, each operation depends on the one before it.
  static func allocations(_ scale: Options.Scale, _ kind: AllocationKind) -> Workload {
    let count = scale.linkedCount
    var works: [Competitor: Work] = [
      .asyncOperationQueue: { counter in
        let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, isSuspended: true)
        var previous: AsyncOperation<Void>?
        for _ in 0..<count {
          let operation =
            kind == .synchronous
            ? AsyncOperation(main: { counter.increment() }) : AsyncOperation(start: { counter.increment() })
          if kind == .oneDependency, let previous { await operation.depend(on: previous) }
          await queue.add(operation)
          previous = operation
        }
        previous = nil
        await queue.resume()
        await queue.waitUntilAllOperationsAreFinished()
      },
      .operationQueue: { counter in
        await FoundationQueue.run(width: 1) { queue in
          queue.isSuspended = true
          var previous: BlockOperation?
          for _ in 0..<count {
            let operation = BlockOperation { counter.increment() }
            if kind == .oneDependency, let previous { operation.addDependency(previous) }
            queue.addOperation(operation)
            previous = operation
          }
          queue.isSuspended = false
        }
      },
    ]
    if kind != .oneDependency {
      works[.taskGroup] = { counter in
        await BoundedTaskGroup.run(count: count, width: 1) { counter.increment() }
      }
      works[.dispatch] = { counter in
        await DispatchWindow.run(count: count, width: 1) { counter.increment() }
      }
    }
    let name = "mallocs/\(kind.rawValue)"
    return Workload(
      name: name, figures: [Figure(name: "", unit: .allocationsPerOperation)], rounds: scale.countingRounds,
      operationCount: count, isCounted: false,
      works.mapValues { work in
        {
          let counter = Counter()
          let allocationCount = await Allocations.count { await work(counter) }
          counter.check(count, in: name)
          return [allocationCount / Double(count)]
        }
      })
  }

  enum AllocationKind: String, CaseIterable {
    case asynchronous
    case synchronous
    case oneDependency = "one-dependency"
  }
}
