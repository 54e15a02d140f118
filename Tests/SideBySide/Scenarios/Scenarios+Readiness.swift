import Foundation
import StructuredOperations
import TestSupport

extension Scenarios {
  static let readiness = [
    Scenario("RD-01", "`isReady` before and after the dependency has finished") {
      let (operation, dependency) = (BlockOperation {}, BlockOperation {})
      operation.addDependency(dependency)
      let before = operation.isReady
      dependency.start()
      return findings("before \(before.word)", "after \(operation.isReady.word)")
    } ours: {
      let (operation, dependency) = (AsyncOperation {}, AsyncOperation {})
      try await operation.addDependency(dependency)
      let before = operation.isReady
      try await dependency.start()
      return findings("before \(before.word)", "after \(operation.isReady.word)")
    },
    Scenario("RD-02", "`isReady` of a cancelled operation with an unfinished dependency") {
      let operation = BlockOperation {}
      operation.addDependency(BlockOperation {})
      operation.cancel()
      return operation.isReady.word
    } ours: {
      let operation = AsyncOperation {}
      try await operation.addDependency(AsyncOperation {})
      operation.cancel()
      return operation.isReady.word
    },
    Scenario(
      "RD-03", "`isReady` of a finished operation that is given an unfinished dependency",
      .byDesign("what has begun is ready for good: a dependency has no effect any more")
    ) {
      let operation = BlockOperation {}
      operation.start()
      operation.addDependency(BlockOperation {})
      return operation.isReady.word
    } ours: {
      let operation = AsyncOperation {}
      try await operation.start()
      try await operation.addDependency(AsyncOperation {})
      return operation.isReady.word
    },
    Scenario("RD-04", "`isReady` of a ready operation that is given a dependency") {
      let operation = BlockOperation {}
      let before = operation.isReady
      operation.addDependency(BlockOperation {})
      return findings("before \(before.word)", "after \(operation.isReady.word)")
    } ours: {
      let operation = AsyncOperation {}
      let before = operation.isReady
      try await operation.addDependency(AsyncOperation {})
      return findings("before \(before.word)", "after \(operation.isReady.word)")
    },
    Scenario(
      "RD-06", "An operation whose dependency finishes just while the queue takes it in is run",
      .linuxDeviates("an operation object is executed when it is ready")
    ) {
      let ran = Signal()
      let operation = RacingOperation(body: { ran.open() })
      OperationQueue().addOperation(operation)
      return ran.comesBlocking().word
    } ours: {
      // There is no hook between the read and the write here, so two real tasks race.
      for _ in 0..<2000 {
        let queue = AsyncOperationQueue()
        let (operation, dependency) = (AsyncOperation {}, AsyncOperation {})
        try await operation.addDependency(dependency)
        async let started: Void = dependency.start()
        await queue.add(operation)
        try await started
        if await !operation.finishes() { return "no" }
      }
      return "yes"
    },
  ]
}
