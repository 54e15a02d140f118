import Foundation
import StructuredOperations

extension Scenarios {
  private static let found = "a wait that could never end is found"
  private static let lent = "a body that waits lends its slot"
  private static let others = "it waits until only operations are left that wait likewise"
  private static let passing = "what something ahead of a barrier needs passes it"

  static let waiting = [
    Scenario("WT-01", "Three who wait for an operation all return, and a fourth who comes late") {
      let log = Log()
      let blocker = OldBlocker()
      let returned = (0..<3).map { _ in Signal() }
      OperationQueue().addOperation(blocker.operation)
      for signal in returned {
        Thread {
          blocker.operation.waitUntilFinished()
          log("returned")
          signal.open()
        }.start()
      }
      blocker.begun.comesBlocking()
      blocker.release.open()
      for signal in returned { signal.comesBlocking() }
      blocker.operation.waitUntilFinished()
      log("returned")
      return log.order
    } ours: {
      let log = Log()
      let blocker = Blocker()
      await AsyncOperationQueue().add(blocker.operation)
      await withTaskGroup { group in
        for _ in 0..<3 {
          group.addTask {
            await blocker.operation.waitUntilFinished()
            log("returned")
          }
        }
        await blocker.begun.comes()
        blocker.release.open()
      }
      await blocker.operation.waitUntilFinished()
      log("returned")
      return log.order
    },
    Scenario("WT-04", "Waiting for an operation that nobody runs returns") {
      let returned = Signal()
      let operation = BlockOperation {}
      Thread {
        operation.waitUntilFinished()
        returned.open()
      }.start()
      return returned.comesBlocking().word
    } ours: {
      await AsyncOperation {}.finishes().word
    },
    Scenario("WT-03", "A body that waits for its own operation", .byDesign(found)) {
      let ended = Signal()
      let operation = BlockOperation()
      operation.addExecutionBlock { [unowned operation] in
        operation.waitUntilFinished()
        ended.open()
      }
      OperationQueue().addOperation(operation)
      return ended.comesBlocking() ? "returns" : "hangs"
    } ours: {
      let log = Log()
      let operation = AsyncOperation<Void> {
        log(await error { _ = try await (AsyncOperation.current as? AsyncOperation<Void>)?.value })
      }
      await AsyncOperationQueue().add(operation)
      return await operation.finishes() ? log.order : "hangs"
    },
    Scenario("WT-03", "The same by the wait that cannot throw", .byDesign(found)) {
      let ended = Signal()
      let operation = BlockOperation()
      operation.addExecutionBlock { [unowned operation] in
        operation.waitUntilFinished()
        ended.open()
      }
      OperationQueue().addOperation(operation)
      return ended.comesBlocking() ? "returns" : "hangs"
    } ours: {
      let operation = AsyncOperation(name: "own") { await AsyncOperation.current?.waitUntilFinished() }
      await AsyncOperationQueue().add(operation)
      return await operation.finishes() ? "returns" : "hangs"
    },
    Scenario("WT-03", "Two bodies that wait for each other", .byDesign(found)) {
      let (begun, ended) = (Signal(), Signal())
      let queue = OperationQueue()
      let (one, other) = (BlockOperation(), BlockOperation())
      one.addExecutionBlock { [unowned other] in
        begun.open()
        other.waitUntilFinished()
        ended.open()
      }
      other.addExecutionBlock { [unowned one] in
        begun.comesBlocking()
        one.waitUntilFinished()
        ended.open()
      }
      queue.addOperation(one)
      queue.addOperation(other)
      return withExtendedLifetime((one, other)) { ended.comesBlocking() ? "one returns" : "hangs" }
    } ours: {
      let log = Log()
      let gate = AsyncOperation {}
      let queue = AsyncOperationQueue()
      let pair = Pair()
      let one = AsyncOperation(after: gate) { _ in log(await error { try await pair.other?.value }) }
      let other = AsyncOperation(after: gate) { _ in log(await error { try await pair.one?.value }) }
      pair.set(one, other)
      await queue.add(one, other)
      try await gate.start()
      let areFinished = await (one.finishes(), other.finishes())
      return areFinished == (true, true) ? log.sorted : "hangs"
    },
    Scenario("WT-03", "A body that waits for an operation behind it in its serial queue", .byDesign(lent)) {
      let log = Log()
      let ended = Signal()
      let queue = OperationQueue(1)
      let inner = BlockOperation { log("inner") }
      queue.addOperation {
        queue.addOperation(inner)
        inner.waitUntilFinished()
        log("outer")
        ended.open()
      }
      return ended.comesBlocking() ? log.order : "hangs"
    } ours: {
      let log = Log()
      let ended = Signal()
      let queue = AsyncOperationQueue(1)
      await queue.add {
        await queue.addAndWait([AsyncOperation { log("inner") }])
        log("outer")
        ended.open()
      }
      return await ended.comes() ? log.order : "hangs"
    },
    Scenario("WT-03", "Two serial queues whose bodies wait for operations of each other", .byDesign(lent)) {
      let log = Log()
      let ended = Signal()
      let (one, other) = (OperationQueue(1), OperationQueue(1))
      one.addOperation {
        let middle = BlockOperation {
          let inner = BlockOperation { log("inner") }
          one.addOperations([inner], waitUntilFinished: true)
          log("middle")
        }
        other.addOperations([middle], waitUntilFinished: true)
        log("outer")
        ended.open()
      }
      return ended.comesBlocking() ? log.order : "hangs"
    } ours: {
      let log = Log()
      let ended = Signal()
      let (one, other) = (AsyncOperationQueue(1), AsyncOperationQueue(1))
      await one.add {
        let middle = AsyncOperation {
          await one.addAndWait([AsyncOperation { log("inner") }])
          log("middle")
        }
        await other.addAndWait([middle])
        log("outer")
        ended.open()
      }
      return await ended.comes() ? log.order : "hangs"
    },
    Scenario("QX-05", "A body that waits for its whole queue", .byDesign(others)) {
      let log = Log()
      let ended = Signal()
      let queue = OperationQueue()
      queue.addOperation {
        queue.addOperation { log("other") }
        queue.waitUntilAllOperationsAreFinished()
        log("waiting")
        ended.open()
      }
      return ended.comesBlocking() ? log.order : "hangs"
    } ours: {
      let log = Log()
      let ended = Signal()
      let queue = AsyncOperationQueue()
      await queue.add {
        await queue.add { log("other") }
        await queue.waitUntilAllOperationsAreFinished()
        log("waiting")
        ended.open()
      }
      return await ended.comes() ? log.order : "hangs"
    },
    Scenario("QB-01", "An operation ahead of a barrier that depends on one behind it", .byDesign(passing)) {
      let log = Log()
      let queue = OperationQueue(4, isSuspended: true)
      let (ahead, behind) = (BlockOperation { log("ahead") }, BlockOperation { log("behind") })
      ahead.addDependency(behind)
      queue.addOperation(ahead)
      queue.addBarrierBlock { log("barrier") }
      queue.addOperation(behind)
      queue.isSuspended = false
      let isFinished = ahead.finishes()
      settleOld()
      return isFinished ? log.order : "hangs"
    } ours: {
      let log = Log()
      let ended = Signal()
      let queue = AsyncOperationQueue(4, isSuspended: true)
      let (ahead, behind) = (AsyncOperation { log("ahead") }, AsyncOperation { log("behind") })
      try await ahead.addDependency(behind)
      await queue.add(ahead)
      await queue.addBarrier {
        log("barrier")
        ended.open()
      }
      await queue.add(behind)
      await queue.resume()
      return await ended.comes() ? log.order : "hangs"
    },
  ]
}
