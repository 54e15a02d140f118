import Foundation
import StructuredOperations
import TestSupport

extension Scenarios {
  static let completionBlocks = [
    Scenario("CB-01", "How often the completion block runs when the operation has been run by a queue") {
      let log = Log()
      let completed = Signal()
      let operation = BlockOperation {}
      operation.completionBlock = {
        log("completed")
        completed.open()
      }
      OperationQueue().addOperations([operation], waitUntilFinished: true)
      completed.comesBlocking()
      settleOld()
      return "\(log.count)"
    } ours: {
      let log = Log()
      let completed = Signal()
      let operation = AsyncOperation {}
      await operation.setCompletionBlock {
        log("completed")
        completed.open()
      }
      await AsyncOperationQueue().addAndWait([operation])
      await completed.comes()
      await settle()
      return "\(log.count)"
    },
    Scenario("CB-05", "In it the operation is finished, and waiting for the operation returns") {
      let log = Log()
      let completed = Signal()
      let operation = BlockOperation {}
      operation.completionBlock = { [unowned operation] in
        log("finished \(operation.isFinished.word)")
        operation.waitUntilFinished()
        log("returned")
        completed.open()
      }
      OperationQueue().addOperation(operation)
      completed.comesBlocking()
      return withExtendedLifetime(operation) { log.order }
    } ours: {
      let log = Log()
      let completed = Signal()
      let operation = AsyncOperation {}
      await operation.setCompletionBlock { [unowned operation] in
        log("finished \(operation.isFinished.word)")
        await operation.waitUntilFinished()
        log("returned")
        completed.open()
      }
      await AsyncOperationQueue().add(operation)
      await completed.comes()
      return withExtendedLifetime(operation) { log.order }
    },
    Scenario(
      "CB-06", "What the block holds is freed once it has run, though the operation is held",
      .linuxDeviates("the property is set to nil after the completion block begins executing")
    ) {
      let freed = Signal()
      let operation = BlockOperation {}
      func setBlock() {
        let canary = Canary { freed.open() }
        operation.completionBlock = { canary.sing() }
      }
      setBlock()
      OperationQueue().addOperation(operation)
      return withExtendedLifetime(operation) { freed.comesBlocking().word }
    } ours: {
      let freed = Signal()
      let operation = AsyncOperation {}
      func setBlock() async {
        let canary = Canary { freed.open() }
        await operation.setCompletionBlock { canary.sing() }
      }
      await setBlock()
      await AsyncOperationQueue().add(operation)
      let isFreed = await freed.comes()
      return withExtendedLifetime(operation) { isFreed.word }
    },
    Scenario(
      "CB-07", "A block that is set when the operation has finished runs",
      .byDesign("it runs at once, so nobody has to know whether the end has come already")
    ) {
      let completed = Signal()
      let operation = BlockOperation {}
      operation.start()
      operation.completionBlock = { completed.open() }
      return completed.comesBlocking().word
    } ours: {
      let completed = Signal()
      let operation = AsyncOperation {}
      try await operation.start()
      await operation.setCompletionBlock { completed.open() }
      return await completed.comes().word
    },
    Scenario("CB-07", "Of two blocks, the one runs that is set last, also while the operation executes") {
      let log = Log()
      let completed = Signal()
      let blocker = OldBlocker()
      blocker.operation.completionBlock = { log("first") }
      OperationQueue().addOperation(blocker.operation)
      blocker.begun.comesBlocking()
      blocker.operation.completionBlock = {
        log("last")
        completed.open()
      }
      blocker.release.open()
      completed.comesBlocking()
      return log.order
    } ours: {
      let log = Log()
      let completed = Signal()
      let blocker = Blocker()
      await blocker.operation.setCompletionBlock { log("first") }
      await AsyncOperationQueue().add(blocker.operation)
      await blocker.begun.comes()
      await blocker.operation.setCompletionBlock {
        log("last")
        completed.open()
      }
      blocker.release.open()
      await completed.comes()
      return log.order
    },
  ]
}
