import Foundation
import StructuredOperations

extension Scenarios {
  static let removingDependencies = [
    Scenario("DP-15", "A dependency is listed when it has finished, and when both have") {
      let (operation, dependency) = (BlockOperation {}, BlockOperation {})
      operation.addDependency(dependency)
      dependency.start()
      let before = operation.dependencies.count
      operation.start()
      return findings("one \(before)", "both \(operation.dependencies.count)")
    } ours: {
      let (operation, dependency) = (AsyncOperation {}, AsyncOperation {})
      try await operation.addDependency(dependency)
      try await dependency.start()
      let before = operation.dependencies.count
      try await operation.start()
      let after = operation.dependencies.count
      return withExtendedLifetime(dependency) { findings("one \(before)", "both \(after)") }
    },
    Scenario(
      "DP-16", "A chain of 200 000 operations that nobody runs is freed",
      .byDesign("chains are freed without recursion")
    ) {
      func chain() {
        var last = BlockOperation {}
        for _ in 0..<200_000 {
          let next = BlockOperation {}
          next.addDependency(last)
          last = next
        }
      }
      chain()
      return "yes"
    } ours: {
      func chain() async throws {
        var last = AsyncOperation {}
        for _ in 0..<200_000 {
          let next = AsyncOperation {}
          try await next.addDependency(last)
          last = next
        }
      }
      try await chain()
      return "yes"
    },
    Scenario(
      "DP-17", "`isReady` when the only, unfinished dependency has been removed",
      .linuxDeviates("an operation that waits for nothing any more is ready")
    ) {
      let (operation, dependency) = (BlockOperation {}, BlockOperation {})
      operation.addDependency(dependency)
      operation.removeDependency(dependency)
      return findings("listed \(operation.dependencies.count)", "ready \(operation.isReady.word)")
    } ours: {
      let (operation, dependency) = (AsyncOperation {}, AsyncOperation {})
      try await operation.addDependency(dependency)
      await operation.removeDependency(dependency)
      return findings("listed \(operation.dependencies.count)", "ready \(operation.isReady.word)")
    },
    Scenario(
      "DP-17", "It runs in a queue then",
      .linuxDeviates("an operation that waits for nothing any more is ready")
    ) {
      let (operation, dependency) = (BlockOperation {}, BlockOperation {})
      operation.addDependency(dependency)
      let queue = OperationQueue()
      queue.addOperation(operation)
      operation.removeDependency(dependency)
      return operation.finishes().word
    } ours: {
      let (operation, dependency) = (AsyncOperation {}, AsyncOperation {})
      try await operation.addDependency(dependency)
      let queue = AsyncOperationQueue()
      await queue.add(operation)
      await operation.removeDependency(dependency)
      return await operation.finishes().word
    },
    Scenario(
      "DP-18", "`isReady` of a cancelled operation from which a finished dependency has been removed",
      .linuxDeviates("a cancelled operation is ready")
    ) {
      let (operation, dependency) = (BlockOperation {}, BlockOperation {})
      operation.addDependency(dependency)
      dependency.start()
      operation.cancel()
      operation.removeDependency(dependency)
      return operation.isReady.word
    } ours: {
      let (operation, dependency) = (AsyncOperation {}, AsyncOperation {})
      try await operation.addDependency(dependency)
      try await dependency.start()
      operation.cancel()
      await operation.removeDependency(dependency)
      return operation.isReady.word
    },
    Scenario("DP-19", "Removing what is no dependency") {
      let (operation, dependency) = (BlockOperation {}, BlockOperation {})
      operation.addDependency(dependency)
      operation.removeDependency(BlockOperation {})
      return findings("listed \(operation.dependencies.count)", "ready \(operation.isReady.word)")
    } ours: {
      let (operation, dependency) = (AsyncOperation {}, AsyncOperation {})
      try await operation.addDependency(dependency)
      await operation.removeDependency(AsyncOperation {})
      return findings("listed \(operation.dependencies.count)", "ready \(operation.isReady.word)")
    },
    Scenario("DP-20", "A dependency of low priority runs before what depends on it with a high one") {
      let log = Log()
      let queue = OperationQueue(1, isSuspended: true)
      let (high, low) = (BlockOperation { log("high") }, BlockOperation { log("low") })
      high.queuePriority = .veryHigh
      low.queuePriority = .veryLow
      high.addDependency(low)
      queue.addOperations([high, low], waitUntilFinished: false)
      queue.isSuspended = false
      queue.waitUntilAllOperationsAreFinished()
      return log.order
    } ours: {
      let log = Log()
      let queue = AsyncOperationQueue(1, isSuspended: true)
      let high = AsyncOperation(queuePriority: .veryHigh) { log("high") }
      let low = AsyncOperation(queuePriority: .veryLow) { log("low") }
      try await high.addDependency(low)
      await queue.add(high, low)
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      return log.order
    },
    Scenario("DP-21", "A barrier is no dependency of what waits for it") {
      let queue = OperationQueue(4, isSuspended: true)
      queue.addOperation(BlockOperation {})
      queue.addBarrierBlock {}
      let operation = BlockOperation {}
      queue.addOperation(operation)
      return "listed \(operation.dependencies.count)"
    } ours: {
      let queue = AsyncOperationQueue(4, isSuspended: true)
      await queue.add(AsyncOperation {})
      await queue.addBarrier {}
      let operation = AsyncOperation {}
      await queue.add(operation)
      return "listed \(operation.dependencies.count)"
    },
  ]
}
