import Foundation
import StructuredOperations

extension Scenarios {
  static let lifeCycle = [
    Scenario("LC-01", "What a new operation is") {
      let operation = BlockOperation {}
      return findings(
        "ready \(operation.isReady.word)", "executing \(operation.isExecuting.word)",
        "finished \(operation.isFinished.word)", "cancelled \(operation.isCancelled.word)",
        "asynchronous \(operation.isAsynchronous.word)", "\(operation.dependencies.count) dependencies",
        "priority \(operation.queuePriority.rawValue)", "name \(operation.name ?? "none")")
    } ours: {
      let operation = AsyncOperation {}
      return findings(
        "ready \(operation.isReady.word)", "executing \(operation.isExecuting.word)",
        "finished \(operation.isFinished.word)", "cancelled \(operation.isCancelled.word)",
        "asynchronous \(operation.isAsynchronous.word)", "\(operation.dependencies.count) dependencies",
        "priority \(operation.queuePriority.rawValue)", "name \(operation.name ?? "none")")
    },
    Scenario("LC-05", "`isExecuting` before, in and after the body") {
      let log = Log()
      let operation = BlockOperation()
      operation.addExecutionBlock { [unowned operation] in log("in \(operation.isExecuting.word)") }
      log("before \(operation.isExecuting.word)")
      operation.start()
      log("after \(operation.isExecuting.word)")
      return log.order
    } ours: {
      let log = Log()
      let operation = AsyncOperation { log("in \((AsyncOperation.current?.isExecuting == true).word)") }
      log("before \(operation.isExecuting.word)")
      try await operation.start()
      log("after \(operation.isExecuting.word)")
      return log.order
    },
    Scenario("LC-08", "Whether a synchronous operation has finished when `start()` returns") {
      let operation = BlockOperation {}
      operation.start()
      return operation.isFinished.word
    } ours: {
      let operation = AsyncOperation {}
      try await operation.start()
      return operation.isFinished.word
    },
    Scenario(
      "LC-08", "Whether an asynchronous one has",
      .byDesign("`start()` suspends until the operation has finished, whatever its body")
    ) {
      let operation = OldAsynchronousOperation()
      operation.start()
      let hasFinished = operation.isFinished
      operation.finish()
      return hasFinished.word
    } ours: {
      let operation = AsyncOperation { await Task.yield() }
      try await operation.start()
      return operation.isFinished.word
    },
    Scenario("LC-10", "An operation without a body finishes in a queue") {
      let operation = Operation()
      OperationQueue().addOperation(operation)
      return operation.finishes().word
    } ours: {
      let operation = AsyncOperation {}
      await AsyncOperationQueue().add(operation)
      return await operation.finishes().word
    },
    Scenario("LC-13", "An operation that only its queue holds runs") {
      let ran = Signal()
      let queue = OperationQueue(1, isSuspended: true)
      queue.addOperation(BlockOperation { ran.open() })
      queue.isSuspended = false
      return ran.comesBlocking().word
    } ours: {
      let ran = Signal()
      let queue = AsyncOperationQueue(1, isSuspended: true)
      await queue.add(AsyncOperation { ran.open() })
      await queue.resume()
      return await ran.comes().word
    },
  ]
}
