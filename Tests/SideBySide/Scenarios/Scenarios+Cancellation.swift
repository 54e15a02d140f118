import Foundation
import StructuredOperations

extension Scenarios {
  static let cancellation = [
    Scenario("CN-03", "`isCancelled` of a finished operation that is cancelled") {
      let operation = BlockOperation {}
      operation.start()
      operation.cancel()
      return operation.isCancelled.word
    } ours: {
      let operation = AsyncOperation {}
      try await operation.start()
      operation.cancel()
      return operation.isCancelled.word
    },
    Scenario("CN-04", "What a cancelled operation is that is in no queue") {
      let operation = BlockOperation {}
      operation.cancel()
      return findings(
        "cancelled \(operation.isCancelled.word)", "ready \(operation.isReady.word)",
        "finished \(operation.isFinished.word)")
    } ours: {
      let operation = AsyncOperation {}
      operation.cancel()
      return findings(
        "cancelled \(operation.isCancelled.word)", "ready \(operation.isReady.word)",
        "finished \(operation.isFinished.word)")
    },
    Scenario("CN-05", "Cancelled, then added") {
      let log = Log()
      let completed = Signal()
      let operation = BlockOperation { log("body") }
      operation.completionBlock = { completed.open() }
      operation.cancel()
      OperationQueue().addOperation(operation)
      return findings(
        "finishes \(operation.finishes().word)", "ran \(log.order)",
        "completion block \(completed.comesBlocking().word)")
    } ours: {
      let log = Log()
      let completed = Signal()
      let operation = AsyncOperation { log("body") }
      await operation.setCompletionBlock { completed.open() }
      operation.cancel()
      await AsyncOperationQueue().add(operation)
      return await findings(
        "finishes \(operation.finishes().word)", "ran \(log.order)", "completion block \(completed.comes().word)")
    },
    Scenario(
      "CN-05, QB-08", "Cancelled, then added behind a barrier that waits",
      .linuxDeviates("an operation may be added at any time, and a cancelled one finishes")
    ) {
      let queue = OperationQueue()
      let blocker = OldBlocker()
      queue.addOperation(blocker.operation)
      blocker.begun.comesBlocking()
      queue.addBarrierBlock {}
      let operation = BlockOperation {}
      operation.cancel()
      queue.addOperation(operation)
      blocker.release.open()
      return "finishes \(operation.finishes().word)"
    } ours: {
      let queue = AsyncOperationQueue()
      let blocker = Blocker()
      await queue.add(blocker.operation)
      await blocker.begun.comes()
      await queue.addBarrier {}
      let operation = AsyncOperation {}
      operation.cancel()
      await queue.add(operation)
      blocker.release.open()
      return await "finishes \(operation.finishes().word)"
    },
    Scenario("CN-06", "Cancelled while it waits for a dependency, it leaves its queue before that has finished") {
      let (operation, dependency) = (BlockOperation {}, BlockOperation {})
      operation.addDependency(dependency)
      OperationQueue().addOperation(operation)
      operation.cancel()
      return findings("finishes \(operation.finishes().word)", "dependency finished \(dependency.isFinished.word)")
    } ours: {
      let (operation, dependency) = (AsyncOperation {}, AsyncOperation {})
      try await operation.addDependency(dependency)
      await AsyncOperationQueue().add(operation)
      operation.cancel()
      return await findings(
        "finishes \(operation.finishes().word)", "dependency finished \(dependency.isFinished.word)")
    },
    Scenario(
      "CN-07", "Cancelled in a queue without a free slot, it finishes",
      .byDesign("it leaves at once, and takes no slot")
    ) {
      let queue = OperationQueue(1)
      let blocker = OldBlocker()
      let operation = BlockOperation {}
      queue.addOperation(blocker.operation)
      queue.addOperation(operation)
      blocker.begun.comesBlocking()
      operation.cancel()
      settleOld()
      let before = operation.isFinished
      blocker.release.open()
      _ = operation.finishes()
      return before ? "at once" : "when there is a slot"
    } ours: {
      let queue = AsyncOperationQueue(1)
      let blocker = Blocker()
      let operation = AsyncOperation {}
      await queue.add(blocker.operation, operation)
      await blocker.begun.comes()
      operation.cancel()
      let before = await operation.finishes()
      blocker.release.open()
      return before ? "at once" : "when there is a slot"
    },
    Scenario("CN-08", "Cancelled in a suspended queue, it finishes") {
      let queue = OperationQueue(1, isSuspended: true)
      let operation = BlockOperation {}
      queue.addOperation(operation)
      operation.cancel()
      settleOld()
      let before = operation.isFinished
      queue.isSuspended = false
      return findings("suspended \(before.word)", "resumed \(operation.finishes().word)")
    } ours: {
      let queue = AsyncOperationQueue(1, isSuspended: true)
      let operation = AsyncOperation {}
      await queue.add(operation)
      operation.cancel()
      await settle()
      let before = operation.isFinished
      await queue.resume()
      return await findings("suspended \(before.word)", "resumed \(operation.finishes().word)")
    },
    Scenario("CN-09", "Cancelled while it executes, it goes on to its end") {
      let log = Log()
      let blocker = OldBlocker { log("end") }
      OperationQueue().addOperation(blocker.operation)
      blocker.begun.comesBlocking()
      blocker.operation.cancel()
      let executing = blocker.operation.isExecuting
      blocker.release.open()
      _ = blocker.operation.finishes()
      return findings(
        "executing \(executing.word)", "cancelled \(blocker.operation.isCancelled.word)", "ran to its \(log.order)")
    } ours: {
      let log = Log()
      let blocker = Blocker { log("end") }
      await AsyncOperationQueue().add(blocker.operation)
      await blocker.begun.comes()
      blocker.operation.cancel()
      let executing = blocker.operation.isExecuting
      blocker.release.open()
      _ = await blocker.operation.finishes()
      return findings(
        "executing \(executing.word)", "cancelled \(blocker.operation.isCancelled.word)", "ran to its \(log.order)")
    },
    Scenario("CN-10", "`cancelAllOperations` from a body of the queue") {
      let queue = OperationQueue(1)
      let log = Log()
      let one = BlockOperation {
        queue.cancelAllOperations()
        log("one")
      }
      let other = BlockOperation { log("other") }
      queue.addOperations([one, other], waitUntilFinished: true)
      return findings("ran \(log.order)", "cancelled \(one.isCancelled.word) \(other.isCancelled.word)")
    } ours: {
      let queue = AsyncOperationQueue(1)
      let log = Log()
      let one = AsyncOperation {
        await queue.cancelAllOperations()
        log("one")
      }
      let other = AsyncOperation { log("other") }
      await queue.addAndWait([one, other])
      return findings("ran \(log.order)", "cancelled \(one.isCancelled.word) \(other.isCancelled.word)")
    },
    Scenario("CN-13", "Who waits for an operation goes on when it is cancelled in its queue") {
      let operation = BlockOperation {}
      operation.addDependency(BlockOperation {})
      let returned = Signal()
      OperationQueue().addOperation(operation)
      Thread {
        operation.waitUntilFinished()
        returned.open()
      }.start()
      operation.cancel()
      return returned.comesBlocking().word
    } ours: {
      let operation = AsyncOperation {}
      try await operation.addDependency(AsyncOperation {})
      let returned = Signal()
      await AsyncOperationQueue().add(operation)
      Task.detached {
        await operation.waitUntilFinished()
        returned.open()
      }
      operation.cancel()
      return await returned.comes().word
    },
  ]
}
