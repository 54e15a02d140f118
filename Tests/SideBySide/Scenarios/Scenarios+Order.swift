import Foundation
import StructuredOperations

extension Scenarios {
  static let order = [
    Scenario("PR-03", "The five priorities, on a serial queue") {
      let log = Log()
      let queue = OperationQueue(1, isSuspended: true)
      for level in [0, 8, -8, 4, -4] {
        let operation = BlockOperation { log("\(level)") }
        operation.queuePriority = Operation.QueuePriority(rawValue: level) ?? .normal
        queue.addOperation(operation)
      }
      queue.isSuspended = false
      queue.waitUntilAllOperationsAreFinished()
      return log.order
    } ours: {
      let log = Log()
      let queue = AsyncOperationQueue(1, isSuspended: true)
      for level in [0, 8, -8, 4, -4] {
        await queue.add(AsyncOperation(queuePriority: QueuePriority(clamping: level)) { log("\(level)") })
      }
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      return log.order
    },
    Scenario("PR-03", "Of two equals the one goes first that was added first, though it became ready last") {
      let log = Log()
      let queue = OperationQueue(1)
      let blocker = OldBlocker()
      let (first, last, gate) = (BlockOperation { log("first") }, BlockOperation { log("last") }, BlockOperation {})
      first.addDependency(gate)
      queue.addOperation(blocker.operation)
      queue.addOperation(first)
      queue.addOperation(last)
      blocker.begun.comesBlocking()
      gate.start()
      blocker.release.open()
      queue.waitUntilAllOperationsAreFinished()
      return log.order
    } ours: {
      let log = Log()
      let queue = AsyncOperationQueue(1)
      let blocker = Blocker()
      let (first, last, gate) = (AsyncOperation { log("first") }, AsyncOperation { log("last") }, AsyncOperation {})
      try await first.addDependency(gate)
      await queue.add(blocker.operation)
      await queue.add(first)
      await queue.add(last)
      await blocker.begun.comes()
      try await gate.start()
      blocker.release.open()
      await queue.waitUntilAllOperationsAreFinished()
      return log.order
    },
    Scenario("PR-04", "A running operation of low priority is not displaced") {
      let log = Log()
      let queue = OperationQueue(1)
      let blocker = OldBlocker { log("low") }
      blocker.operation.queuePriority = .veryLow
      queue.addOperation(blocker.operation)
      blocker.begun.comesBlocking()
      let high = BlockOperation { log("high") }
      high.queuePriority = .veryHigh
      queue.addOperation(high)
      settleOld()
      blocker.release.open()
      queue.waitUntilAllOperationsAreFinished()
      return log.order
    } ours: {
      let log = Log()
      let queue = AsyncOperationQueue(1)
      let blocker = Blocker { log("low") }
      await blocker.operation.setQueuePriority(.veryLow)
      await queue.add(blocker.operation)
      await blocker.begun.comes()
      await queue.add(AsyncOperation(queuePriority: .veryHigh) { log("high") })
      await settle()
      blocker.release.open()
      await queue.waitUntilAllOperationsAreFinished()
      return log.order
    },
    Scenario("PR-06", "Another priority moves a waiting operation to the end of its new level") {
      let log = Log()
      let queue = OperationQueue(1, isSuspended: true)
      let operations = (0..<4).map { number in BlockOperation { log("\(number)") } }
      operations[3].queuePriority = .low
      queue.addOperations(operations, waitUntilFinished: false)
      operations[0].queuePriority = .low
      queue.isSuspended = false
      queue.waitUntilAllOperationsAreFinished()
      return log.order
    } ours: {
      let log = Log()
      let queue = AsyncOperationQueue(1, isSuspended: true)
      let operations = (0..<4).map { number in AsyncOperation { log("\(number)") } }
      await operations[3].setQueuePriority(.low)
      await queue.add(operations)
      await operations[0].setQueuePriority(.low)
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      return log.order
    },
    Scenario(
      "PR-06", "It also moves one that has a quality of service, on a serial queue",
      .linuxDeviates("among ready operations the one with the highest priority runs first")
    ) {
      let log = Log()
      let queue = OperationQueue(1, isSuspended: true)
      let (first, last) = (BlockOperation { log("first") }, BlockOperation { log("last") })
      last.qualityOfService = .background
      queue.addOperation(first)
      queue.addOperation(last)
      last.queuePriority = .veryHigh
      queue.isSuspended = false
      queue.waitUntilAllOperationsAreFinished()
      return log.order
    } ours: {
      let log = Log()
      let queue = AsyncOperationQueue(1, isSuspended: true)
      let first = AsyncOperation { log("first") }
      let last = AsyncOperation(taskPriority: .background) { log("last") }
      await queue.add(first)
      await queue.add(last)
      await last.setQueuePriority(.veryHigh)
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      return log.order
    },
    Scenario(
      "PR-07", "The priority of a finished operation that is given another one",
      .byDesign("it counts only until the operation is chosen, and stays what it was then")
    ) {
      let operation = BlockOperation {}
      operation.start()
      operation.queuePriority = .veryHigh
      return "\(operation.queuePriority.rawValue)"
    } ours: {
      let operation = AsyncOperation {}
      try await operation.start()
      await operation.setQueuePriority(.veryHigh)
      return "\(operation.queuePriority.rawValue)"
    },
    Scenario("PR-08", "A batch is ranked before any of it starts") {
      let log = Log()
      let operations = [0, -4, 8, -8].map { level in
        let operation = BlockOperation { log("\(level)") }
        operation.queuePriority = Operation.QueuePriority(rawValue: level) ?? .normal
        return operation
      }
      OperationQueue(1).addOperations(operations, waitUntilFinished: true)
      return log.order
    } ours: {
      let log = Log()
      let operations = [0, -4, 8, -8].map { level in
        AsyncOperation(queuePriority: QueuePriority(clamping: level)) { log("\(level)") }
      }
      await AsyncOperationQueue(1).addAndWait(operations)
      return log.order
    },
    Scenario(
      "PR-10", "Whether a quality of service is a place in the order, on a queue that is not serial",
      .byDesign("the order is that of the queue priorities alone; Apple documents no other")
    ) {
      let log = Log()
      let queue = OperationQueue(2)
      let blockers = [OldBlocker(), OldBlocker()]
      for blocker in blockers {
        queue.addOperation(blocker.operation)
        blocker.begun.comesBlocking()
      }
      let (first, last) = (BlockOperation { log("first") }, BlockOperation { log("last") })
      last.qualityOfService = .userInitiated
      queue.addOperation(first)
      queue.addOperation(last)
      blockers[0].release.open()
      _ = first.finishes()
      _ = last.finishes()
      blockers[1].release.open()
      return log.order == "last first" ? "yes" : "no"
    } ours: {
      let log = Log()
      let queue = AsyncOperationQueue(2)
      let blockers = [Blocker(), Blocker()]
      for blocker in blockers {
        await queue.add(blocker.operation)
        await blocker.begun.comes()
      }
      let first = AsyncOperation { log("first") }
      let last = AsyncOperation(taskPriority: .high) { log("last") }
      await queue.add(first)
      await queue.add(last)
      blockers[0].release.open()
      _ = await first.finishes()
      _ = await last.finishes()
      blockers[1].release.open()
      return log.order == "last first" ? "yes" : "no"
    },
  ]
}
