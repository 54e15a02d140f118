import Foundation
import StructuredOperations

extension Scenarios {
  static let asynchronousBodies = [
    Scenario(
      "AS-02", "An asynchronous body that forgets to say that it has finished",
      .byDesign("a completion that is dropped finishes its operation with an error")
    ) {
      let operation = OldAsynchronousOperation()
      OperationQueue().addOperation(operation)
      operation.begun.comesBlocking()
      // Foundation's queue checks `isFinished` again after `start()` has returned.
      settleOld()
      operation.finishSilently()
      return operation.finishes() ? "finishes" : "hangs"
    } ours: {
      let operation = AsyncOperation<Void>(callback: { completion in
        DispatchQueue.global().async { _ = completion }
      })
      await AsyncOperationQueue().add(operation)
      return await operation.finishes() ? operation.ending : "hangs"
    },
    Scenario("AS-04", "An asynchronous body that is done when it returns finishes its operation") {
      let operation = OldAsynchronousOperation { $0.finishSilently() }
      OperationQueue().addOperation(operation)
      return operation.finishes().word
    } ours: {
      let operation = AsyncOperation<Void>(callback: { $0.finish() })
      await AsyncOperationQueue().add(operation)
      return await operation.finishes().word
    },
    Scenario("AS-05", "An operation finishes before work that its body only sets going") {
      let release = Signal()
      let operation = BlockOperation { DispatchQueue.global().async { release.comesBlocking(within: .infinity) } }
      OperationQueue().addOperation(operation)
      defer { release.open() }
      return operation.finishes().word
    } ours: {
      let release = Signal()
      let operation = AsyncOperation { _ = Task { await release.comes(within: .infinity) } }
      await AsyncOperationQueue().add(operation)
      defer { release.open() }
      return await operation.finishes().word
    },
    Scenario("AS-06", "How often the completion block runs where a body says twice that it has finished") {
      let log = Log()
      let completed = Signal()
      let operation = OldAsynchronousOperation { operation in
        operation.finish()
        operation.finish()
      }
      operation.completionBlock = {
        log("completed")
        completed.open()
      }
      OperationQueue().addOperation(operation)
      completed.comesBlocking()
      settleOld()
      return "\(log.count)"
    } ours: {
      let log = Log()
      let completed = Signal()
      let operation = AsyncOperation<Void>(callback: { completion in
        completion.finish()
        completion.finish()
      })
      await operation.setCompletionBlock {
        log("completed")
        completed.open()
      }
      await AsyncOperationQueue().add(operation)
      await completed.comes()
      await settle()
      return "\(log.count)"
    },
    Scenario("AS-08", "An asynchronous operation holds its slot until it has finished") {
      let log = Log()
      let queue = OperationQueue(1)
      let operation = OldAsynchronousOperation()
      queue.addOperation(operation)
      operation.begun.comesBlocking()
      queue.addOperation { log("next") }
      settleOld()
      log("finish")
      operation.finish()
      queue.waitUntilAllOperationsAreFinished()
      return log.order
    } ours: {
      let log = Log()
      let queue = AsyncOperationQueue(1)
      let blocker = Blocker()
      await queue.add(blocker.operation)
      await blocker.begun.comes()
      await queue.add { log("next") }
      await settle()
      log("finish")
      blocker.release.open()
      await queue.waitUntilAllOperationsAreFinished()
      return log.order
    },
  ]
}
