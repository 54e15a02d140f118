import Foundation
import StructuredOperations

extension Scenarios {
  static let barriers = [
    Scenario("QB-01", "A barrier runs after all before it and before all after it") {
      let log = Log()
      let queue = OperationQueue(4, isSuspended: true)
      queue.addOperation { log("before") }
      queue.addOperation { log("before") }
      queue.addBarrierBlock { log("barrier") }
      queue.addOperation { log("after") }
      queue.addOperation { log("after") }
      queue.isSuspended = false
      queue.waitUntilAllOperationsAreFinished()
      return log.order
    } ours: {
      let log = Log()
      let queue = AsyncOperationQueue(4, isSuspended: true)
      await queue.add { log("before") }
      await queue.add { log("before") }
      await queue.addBarrier { log("barrier") }
      await queue.add { log("after") }
      await queue.add { log("after") }
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      return log.order
    },
    Scenario(
      "QB-02", "A barrier in an empty, suspended queue waits for the end of the suspension",
      .linuxDeviates("a suspended queue starts nothing")
    ) {
      let ran = Signal()
      let queue = OperationQueue(4, isSuspended: true)
      queue.addBarrierBlock { ran.open() }
      let before = ran.comesBlocking()
      queue.isSuspended = false
      return findings("suspended: ran \(before.word)", "resumed: ran \(ran.comesBlocking().word)")
    } ours: {
      let ran = Signal()
      let queue = AsyncOperationQueue(4, isSuspended: true)
      await queue.addBarrier { ran.open() }
      let before = await ran.comes()
      await queue.resume()
      return await findings("suspended: ran \(before.word)", "resumed: ran \(ran.comes().word)")
    },
    Scenario(
      "QB-02, QB-06",
      "`waitUntilAllOperationsAreFinished` returns before a barrier ends that was added to the empty queue",
      .linuxDeviates("the queue runs the block, so it is its work like any other")
    ) {
      let (begun, release, returned) = (Signal(), Signal(), Signal())
      let queue = OperationQueue(4)
      queue.addBarrierBlock {
        begun.open()
        release.comesBlocking(within: .infinity)
      }
      begun.comesBlocking()
      Thread {
        queue.waitUntilAllOperationsAreFinished()
        returned.open()
      }.start()
      let before = returned.comesBlocking()
      release.open()
      returned.comesBlocking()
      return before.word
    } ours: {
      let (begun, release, returned) = (Signal(), Signal(), Signal())
      let queue = AsyncOperationQueue(4)
      await queue.addBarrier {
        begun.open()
        await release.comes(within: .infinity)
      }
      await begun.comes()
      Task.detached {
        await queue.waitUntilAllOperationsAreFinished()
        returned.open()
      }
      let before = await returned.comes()
      release.open()
      await returned.comes()
      return before.word
    },
    Scenario(
      "QB-02", "A barrier in the empty main queue runs on the main thread",
      .linuxDeviates("the main queue executes on the main thread")
    ) {
      let log = Log()
      let ran = Signal()
      OperationQueue.main.addBarrierBlock {
        log(Thread.isMainThread.word)
        ran.open()
      }
      ran.comesBlocking()
      return log.order
    } ours: {
      let log = Log()
      let ran = Signal()
      await AsyncOperationQueue.main.addBarrier { () -> Void in
        log(Thread.isMainThread.word)
        ran.open()
      }
      await ran.comes()
      return log.order
    },
    Scenario("QB-03", "A barrier is neither listed nor counted") {
      let queue = OperationQueue(4, isSuspended: true)
      queue.addOperation {}
      queue.addBarrierBlock {}
      return findings("count \(queue.operationCount)", "listed \(queue.operations.count)")
    } ours: {
      let queue = AsyncOperationQueue(4, isSuspended: true)
      await queue.add {}
      await queue.addBarrier {}
      return await findings("count \(queue.operationCount)", "listed \(queue.operations.count)")
    },
    Scenario("QB-05", "`cancelAllOperations` has a barrier that waits skip its block") {
      let log = Log()
      let queue = OperationQueue(4, isSuspended: true)
      queue.addOperation { log("before") }
      queue.addBarrierBlock { log("barrier") }
      queue.cancelAllOperations()
      queue.addOperation { log("after") }
      queue.isSuspended = false
      queue.waitUntilAllOperationsAreFinished()
      return log.order
    } ours: {
      let log = Log()
      let queue = AsyncOperationQueue(4, isSuspended: true)
      await queue.add { log("before") }
      await queue.addBarrier { log("barrier") }
      await queue.cancelAllOperations()
      await queue.add { log("after") }
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      return log.order
    },
    Scenario("QB-07", "What is added while a barrier runs waits for it") {
      let log = Log()
      let (begun, release) = (Signal(), Signal())
      let queue = OperationQueue(4)
      queue.addOperation {}
      queue.addBarrierBlock {
        begun.open()
        release.comesBlocking(within: .infinity)
        log("barrier")
      }
      begun.comesBlocking()
      let operation = BlockOperation { log("after") }
      queue.addOperation(operation)
      settleOld()
      release.open()
      _ = operation.finishes()
      return log.order
    } ours: {
      let log = Log()
      let (begun, release) = (Signal(), Signal())
      let queue = AsyncOperationQueue(4)
      await queue.add {}
      await queue.addBarrier {
        begun.open()
        await release.comes(within: .infinity)
        log("barrier")
      }
      await begun.comes()
      let operation = AsyncOperation { log("after") }
      await queue.add(operation)
      await settle()
      release.open()
      _ = await operation.finishes()
      return log.order
    },
  ]
}
