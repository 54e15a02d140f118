import Foundation
import StructuredOperations

extension Scenarios {
  static let wholeQueues = [
    Scenario("QX-01", "`cancelAllOperations` marks what executes and what waits, and removes nothing") {
      let queue = OperationQueue(1)
      let blocker = OldBlocker()
      let waiting = BlockOperation {}
      waiting.addDependency(blocker.operation)
      queue.addOperation(blocker.operation)
      blocker.begun.comesBlocking()
      queue.isSuspended = true
      queue.addOperation(waiting)
      queue.cancelAllOperations()
      defer { blocker.release.open() }
      return findings(
        "cancelled \(blocker.operation.isCancelled.word) \(waiting.isCancelled.word)", "count \(queue.operationCount)")
    } ours: {
      let queue = AsyncOperationQueue(1)
      let blocker = Blocker()
      let waiting = AsyncOperation {}
      try await waiting.addDependency(blocker.operation)
      await queue.add(blocker.operation)
      await blocker.begun.comes()
      await queue.suspend()
      await queue.add(waiting)
      await queue.cancelAllOperations()
      defer { blocker.release.open() }
      return findings(
        "cancelled \(blocker.operation.isCancelled.word) \(waiting.isCancelled.word)", "count \(queue.operationCount)")
    },
    Scenario(
      "QX-01, CN-16", "An operation runs whose dependency finishes as soon as `cancelAllOperations` cancels it",
      .byDesign("all are marked in one step, so that nothing slips through")
    ) {
      let ran = Signal()
      let queue = OperationQueue()
      let first = OldAsynchronousOperation(onCancel: { operation in
        operation.finish()
        ran.comesBlocking()
      })
      let dependent = BlockOperation { ran.open() }
      dependent.addDependency(first)
      queue.addOperations([first, dependent], waitUntilFinished: false)
      first.begun.comesBlocking()
      queue.cancelAllOperations()
      queue.waitUntilAllOperationsAreFinished()
      return ran.isOpen.word
    } ours: {
      let (begun, ran) = (Signal(), Signal())
      let queue = AsyncOperationQueue()
      let first = AsyncOperation {
        let cancelled = Signal()
        begun.open()
        _ = await withTaskCancellationHandler {
          await cancelled.comes()
        } onCancel: {
          cancelled.open()
        }
      }
      let dependent = AsyncOperation { ran.open() }
      try await dependent.addDependency(first)
      await queue.add(first, dependent)
      await begun.comes()
      await queue.cancelAllOperations()
      await queue.waitUntilAllOperationsAreFinished()
      return ran.isOpen.word
    },
    Scenario(
      "QX-01", "`cancelAllOperations` of the main queue cancels what waits there",
      .linuxDeviates("it cancels all operations that are in the queue")
    ) {
      let operation = BlockOperation {}
      operation.addDependency(BlockOperation {})
      OperationQueue.main.addOperation(operation)
      OperationQueue.main.cancelAllOperations()
      return operation.isCancelled.word
    } ours: {
      let (operation, dependency) = (AsyncOperation {}, AsyncOperation {})
      try await operation.addDependency(dependency)
      await AsyncOperationQueue.main.add(operation)
      await AsyncOperationQueue.main.cancelAllOperations()
      return operation.isCancelled.word
    },
    Scenario("QX-02", "What is added after `cancelAllOperations` is not cancelled") {
      let log = Log()
      let queue = OperationQueue(1, isSuspended: true)
      queue.addOperation { log("before") }
      queue.cancelAllOperations()
      queue.addOperation { log("after") }
      queue.isSuspended = false
      queue.waitUntilAllOperationsAreFinished()
      return log.order
    } ours: {
      let log = Log()
      let queue = AsyncOperationQueue(1, isSuspended: true)
      await queue.add { log("before") }
      await queue.cancelAllOperations()
      await queue.add { log("after") }
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      return log.order
    },
    Scenario("QX-03", "Waiting for an empty queue returns") {
      OperationQueue().waitUntilAllOperationsAreFinished()
      return "yes"
    } ours: {
      await AsyncOperationQueue().waitUntilAllOperationsAreFinished()
      return "yes"
    },
    Scenario("QX-04", "Waiting for a queue waits for what its operations add, too") {
      let log = Log()
      let queue = OperationQueue(1)
      let (begun, release) = (Signal(), Signal())
      queue.addOperation {
        begun.open()
        release.comesBlocking(within: .infinity)
        queue.addOperation { log("inner") }
        log("outer")
      }
      begun.comesBlocking()
      release.open()
      queue.waitUntilAllOperationsAreFinished()
      return log.order
    } ours: {
      let log = Log()
      let queue = AsyncOperationQueue(1)
      let (begun, release) = (Signal(), Signal())
      await queue.add {
        begun.open()
        await release.comes(within: .infinity)
        await queue.add { log("inner") }
        log("outer")
      }
      await begun.comes()
      release.open()
      await queue.waitUntilAllOperationsAreFinished()
      return log.order
    },
    Scenario("QP-06", "Waiting for a suspended queue returns when it has been resumed") {
      let log = Log()
      let queue = OperationQueue(1, isSuspended: true)
      let returned = Signal()
      queue.addOperation { log("ran") }
      Thread {
        queue.waitUntilAllOperationsAreFinished()
        log("returned")
        returned.open()
      }.start()
      settleOld()
      log("resume")
      queue.isSuspended = false
      returned.comesBlocking()
      return log.order
    } ours: {
      let log = Log()
      let queue = AsyncOperationQueue(1, isSuspended: true)
      let returned = Signal()
      await queue.add { log("ran") }
      Task.detached {
        await queue.waitUntilAllOperationsAreFinished()
        log("returned")
        returned.open()
      }
      await settle()
      log("resume")
      await queue.resume()
      await returned.comes()
      return log.order
    },
  ]
}
