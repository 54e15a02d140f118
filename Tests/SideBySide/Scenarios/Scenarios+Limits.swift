import Foundation
import StructuredOperations

extension Scenarios {
  static let limits = [
    Scenario("QC-01, QP-01", "A new queue: its limit, whether it is suspended, how many are in it") {
      let queue = OperationQueue()
      return findings(
        "limit \(queue.maxConcurrentOperationCount)", "suspended \(queue.isSuspended.word)",
        "count \(queue.operationCount)")
    } ours: {
      let queue = AsyncOperationQueue()
      return findings(
        "limit \(queue.maxConcurrentOperationCount)", "suspended \(queue.isSuspended.word)",
        "count \(queue.operationCount)")
    },
    Scenario("QC-02, QC-05", "A limit of 0 starts nothing, and the first operation starts when it grows") {
      let ran = Signal()
      let queue = OperationQueue(0)
      queue.addOperation { ran.open() }
      settleOld()
      let before = ran.isOpen
      queue.maxConcurrentOperationCount = 1
      return findings("0: ran \(before.word)", "1: ran \(ran.comesBlocking().word)")
    } ours: {
      let ran = Signal()
      let queue = AsyncOperationQueue(0)
      await queue.add { ran.open() }
      await settle()
      let before = ran.isOpen
      try await queue.setMaxConcurrentOperationCount(1)
      return await findings("0: ran \(before.word)", "1: ran \(ran.comes().word)")
    },
    Scenario("QC-03", "A limit of -2", .byDesign("misuse is an error to catch")) {
      OperationQueue().maxConcurrentOperationCount = -2
      return "set"
    } ours: {
      let queue = AsyncOperationQueue()
      return await error { try await queue.setMaxConcurrentOperationCount(-2) }
    },
    Scenario("QC-04", "A limit of 1 000 000 is read back as") {
      "\(OperationQueue(1_000_000).maxConcurrentOperationCount)"
    } ours: {
      "\(AsyncOperationQueue(1_000_000).maxConcurrentOperationCount)"
    },
    Scenario("QC-06", "A smaller limit leaves what runs alone, and starts nothing before enough have finished") {
      let log = Log()
      let queue = OperationQueue(3)
      let blockers = (0..<3).map { _ in OldBlocker() }
      for blocker in blockers {
        queue.addOperation(blocker.operation)
        blocker.begun.comesBlocking()
      }
      queue.maxConcurrentOperationCount = 1
      let next = BlockOperation { log("next") }
      queue.addOperation(next)
      for blocker in blockers.prefix(2) {
        blocker.release.open()
        _ = blocker.operation.finishes()
      }
      settleOld()
      log("last of three")
      blockers[2].release.open()
      _ = next.finishes()
      return log.order
    } ours: {
      let log = Log()
      let queue = AsyncOperationQueue(3)
      let blockers = (0..<3).map { _ in Blocker() }
      for blocker in blockers {
        await queue.add(blocker.operation)
        await blocker.begun.comes()
      }
      try await queue.setMaxConcurrentOperationCount(1)
      let next = AsyncOperation { log("next") }
      await queue.add(next)
      for blocker in blockers.prefix(2) {
        blocker.release.open()
        _ = await blocker.operation.finishes()
      }
      await settle()
      log("last of three")
      blockers[2].release.open()
      _ = await next.finishes()
      return log.order
    },
    Scenario("QC-08", "How many run at a time where the limit is 3 and 5 are added") {
      let log = Log()
      let queue = OperationQueue(3)
      let blockers = (0..<5).map { _ in OldBlocker() }
      for blocker in blockers { queue.addOperation(blocker.operation) }
      for blocker in blockers.prefix(3) { blocker.begun.comesBlocking() }
      settleOld()
      for blocker in blockers where blocker.operation.isExecuting { log("executes") }
      for blocker in blockers { blocker.release.open() }
      return "\(log.count)"
    } ours: {
      let log = Log()
      let queue = AsyncOperationQueue(3)
      let blockers = (0..<5).map { _ in Blocker() }
      for blocker in blockers { await queue.add(blocker.operation) }
      for blocker in blockers.prefix(3) { await blocker.begun.comes() }
      await settle()
      for blocker in blockers where blocker.operation.isExecuting { log("executes") }
      for blocker in blockers { blocker.release.open() }
      return "\(log.count)"
    },
    Scenario("QC-10, QP-07", "The main queue's limit and suspension stay as they are") {
      OperationQueue.main.maxConcurrentOperationCount = 5
      OperationQueue.main.isSuspended = true
      return findings(
        "limit \(OperationQueue.main.maxConcurrentOperationCount)",
        "suspended \(OperationQueue.main.isSuspended.word)")
    } ours: {
      try? await AsyncOperationQueue.main.setMaxConcurrentOperationCount(5)
      await AsyncOperationQueue.main.suspend()
      return findings(
        "limit \(AsyncOperationQueue.main.maxConcurrentOperationCount)",
        "suspended \(AsyncOperationQueue.main.isSuspended.word)")
    },
    Scenario("QP-02, QP-03", "Suspended, a queue starts nothing, what runs goes on, and resumed it starts the rest") {
      let log = Log()
      let queue = OperationQueue(2)
      let blocker = OldBlocker { log("running") }
      queue.addOperation(blocker.operation)
      blocker.begun.comesBlocking()
      queue.isSuspended = true
      queue.addOperation { log("waiting") }
      settleOld()
      blocker.release.open()
      _ = blocker.operation.finishes()
      settleOld()
      log("resume")
      queue.isSuspended = false
      queue.waitUntilAllOperationsAreFinished()
      return log.order
    } ours: {
      let log = Log()
      let queue = AsyncOperationQueue(2)
      let blocker = Blocker { log("running") }
      await queue.add(blocker.operation)
      await blocker.begun.comes()
      await queue.suspend()
      await queue.add { log("waiting") }
      await settle()
      blocker.release.open()
      _ = await blocker.operation.finishes()
      await settle()
      log("resume")
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      return log.order
    },
    Scenario("QP-09", "Suspended twice and resumed once, a queue runs") {
      let ran = Signal()
      let queue = OperationQueue()
      queue.isSuspended = true
      queue.isSuspended = true
      queue.isSuspended = false
      queue.addOperation { ran.open() }
      return ran.comesBlocking().word
    } ours: {
      let ran = Signal()
      let queue = AsyncOperationQueue()
      await queue.suspend()
      await queue.suspend()
      await queue.resume()
      await queue.add { ran.open() }
      return await ran.comes().word
    },
  ]
}
