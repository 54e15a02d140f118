import Foundation
import StructuredOperations
import TestSupport

extension Scenarios {
  static let blocks = [
    Scenario(
      "BO-01", "Two blocks of one operation run at the same time, on a serial queue",
      .linuxDeviates("a block operation executes its blocks concurrently")
    ) {
      let (one, other) = (Signal(), Signal())
      let log = Log()
      let operation = BlockOperation {
        one.open()
        log(other.comesBlocking().word)
      }
      operation.addExecutionBlock {
        other.open()
        log(one.comesBlocking().word)
      }
      OperationQueue(1).addOperation(operation)
      operation.waitUntilFinished()
      return log.sorted == "yes yes" ? "yes" : "no"
    } ours: {
      let (one, other) = (Signal(), Signal())
      let log = Log()
      let blocks = ExecutionBlocks {
        one.open()
        log(await other.comes().word)
      }
      try blocks.add {
        other.open()
        log(await one.comes().word)
      }
      await AsyncOperationQueue(1).addAndWait([AsyncOperation(blocks)])
      return log.sorted == "yes yes" ? "yes" : "no"
    },
    Scenario(
      "BO-04", "A block that is added when the operation has begun",
      .byDesign("misuse is an error to catch, and leaves the operation unharmed")
    ) {
      let blocker = OldBlocker()
      OperationQueue().addOperation(blocker.operation)
      blocker.begun.comesBlocking()
      blocker.operation.addExecutionBlock {}
      return "added"
    } ours: {
      let (begun, release) = (Signal(), Signal())
      let blocks = ExecutionBlocks {
        begun.open()
        await release.comes(within: .infinity)
      }
      await AsyncOperationQueue().add(AsyncOperation(blocks))
      await begun.comes()
      defer { release.open() }
      return await error { try blocks.add {} }
    },
    Scenario("BO-05", "A block that is added while the operation waits in a queue runs") {
      let log = Log()
      let queue = OperationQueue(1, isSuspended: true)
      let operation = BlockOperation { log("1") }
      queue.addOperation(operation)
      operation.addExecutionBlock { log("2") }
      queue.isSuspended = false
      queue.waitUntilAllOperationsAreFinished()
      return log.sorted
    } ours: {
      let log = Log()
      let queue = AsyncOperationQueue(1, isSuspended: true)
      let blocks = ExecutionBlocks { log("1") }
      await queue.add(AsyncOperation(blocks))
      try blocks.add { log("2") }
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      return log.sorted
    },
    Scenario("BO-06", "An operation without blocks finishes") {
      let operation = BlockOperation()
      OperationQueue().addOperation(operation)
      return operation.finishes().word
    } ours: {
      let operation = AsyncOperation(ExecutionBlocks())
      await AsyncOperationQueue().add(operation)
      return await operation.finishes().word
    },
    Scenario(
      "BO-08", "What the blocks hold is freed once they have run, though the operation is held",
      .byDesign("an operation frees its body when it finishes")
    ) {
      let freed = Signal()
      func make() -> BlockOperation {
        let canary = Canary { freed.open() }
        return BlockOperation { canary.sing() }
      }
      let operation = make()
      OperationQueue().addOperation(operation)
      return withExtendedLifetime(operation) { freed.comesBlocking().word }
    } ours: {
      let freed = Signal()
      func make() -> AsyncOperation<Void> {
        let canary = Canary { freed.open() }
        return AsyncOperation(ExecutionBlocks { canary.sing() })
      }
      let operation = make()
      await AsyncOperationQueue().add(operation)
      let isFreed = await freed.comes()
      return withExtendedLifetime(operation) { isFreed.word }
    },
  ]
}
