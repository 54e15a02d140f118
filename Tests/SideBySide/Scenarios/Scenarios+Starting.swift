import Foundation
import StructuredOperations

extension Scenarios {
  private static let misuse = "misuse is an error to catch, and leaves the operation unharmed"

  static let starting = [
    Scenario("ST-01", "Started by hand, an operation runs, and so does its completion block") {
      let log = Log()
      let completed = Signal()
      let operation = BlockOperation { log("body") }
      operation.completionBlock = {
        log("completion")
        completed.open()
      }
      operation.start()
      completed.comesBlocking()
      return log.order
    } ours: {
      let log = Log()
      let completed = Signal()
      let operation = AsyncOperation { log("body") }
      await operation.setCompletionBlock {
        log("completion")
        completed.open()
      }
      try await operation.start()
      await completed.comes()
      return log.order
    },
    Scenario("ST-02", "Started before it is ready", .byDesign(misuse)) {
      let operation = BlockOperation {}
      operation.addDependency(BlockOperation {})
      operation.start()
      return "runs"
    } ours: {
      let operation = AsyncOperation {}
      try await operation.addDependency(AsyncOperation {})
      return await error { try await operation.start() }
    },
    Scenario("ST-03", "Started while it executes", .byDesign(misuse)) {
      let blocker = OldBlocker()
      Thread { blocker.operation.start() }.start()
      blocker.begun.comesBlocking()
      blocker.operation.start()
      return "runs"
    } ours: {
      let blocker = Blocker()
      async let started: Void = blocker.operation.start()
      await blocker.begun.comes()
      let result = await error { try await blocker.operation.start() }
      blocker.release.open()
      try await started
      return result
    },
    Scenario("ST-04", "Started again when it has finished, it has run so often") {
      let log = Log()
      let operation = BlockOperation { log("body") }
      operation.start()
      operation.start()
      return "\(log.count)"
    } ours: {
      let log = Log()
      let operation = AsyncOperation { log("body") }
      try await operation.start()
      try await operation.start()
      return "\(log.count)"
    },
    Scenario("ST-05", "Started when it has been cancelled") {
      let log = Log()
      let completed = Signal()
      let operation = BlockOperation { log("body") }
      operation.completionBlock = { completed.open() }
      operation.cancel()
      operation.start()
      return findings(
        "ran \(log.order)", "finished \(operation.isFinished.word)",
        "completion block \(completed.comesBlocking().word)")
    } ours: {
      let log = Log()
      let completed = Signal()
      let operation = AsyncOperation { log("body") }
      await operation.setCompletionBlock { completed.open() }
      operation.cancel()
      try await operation.start()
      return await findings(
        "ran \(log.order)", "finished \(operation.isFinished.word)", "completion block \(completed.comes().word)")
    },
    Scenario("ST-05", "Started when it has been cancelled, with an unfinished dependency") {
      let log = Log()
      let operation = BlockOperation { log("body") }
      operation.addDependency(BlockOperation {})
      operation.cancel()
      operation.start()
      return findings("ran \(log.order)", "finished \(operation.isFinished.word)")
    } ours: {
      let log = Log()
      let operation = AsyncOperation { log("body") }
      try await operation.addDependency(AsyncOperation {})
      operation.cancel()
      try await operation.start()
      return findings("ran \(log.order)", "finished \(operation.isFinished.word)")
    },
    Scenario("ST-06", "Started by hand while it waits in a queue", .byDesign(misuse)) {
      let queue = OperationQueue(1, isSuspended: true)
      let operation = BlockOperation {}
      queue.addOperation(operation)
      operation.start()
      return "runs"
    } ours: {
      let queue = AsyncOperationQueue(1, isSuspended: true)
      let operation = AsyncOperation {}
      await queue.add(operation)
      return await error { try await operation.start() }
    },
  ]
}
