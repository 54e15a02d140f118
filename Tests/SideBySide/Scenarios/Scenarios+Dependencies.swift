import Foundation
import StructuredOperations

extension Scenarios {
  static let dependencies = [
    Scenario("DP-01", "`dependencies` lists them in the order of addition, DP-02: each once") {
      let named = ["b", "a", "c"].map { name in
        let operation = BlockOperation {}
        operation.name = name
        return operation
      }
      let operation = BlockOperation {}
      for dependency in named + named { operation.addDependency(dependency) }
      return operation.dependencies.map { $0.name ?? "?" }.joined(separator: " ")
    } ours: {
      let named = ["b", "a", "c"].map { AsyncOperation(name: $0) {} }
      let operation = AsyncOperation {}
      for dependency in named + named { try await operation.addDependency(dependency) }
      return operation.dependencies.map { $0.name ?? "?" }.joined(separator: " ")
    },
    Scenario(
      "DP-03", "An operation that is made to depend on itself",
      .byDesign("an error at once, in place of a thread that hangs")
    ) {
      let operation = BlockOperation {}
      operation.addDependency(operation)
      return "no error"
    } ours: {
      let operation = AsyncOperation {}
      return await error { try await operation.addDependency(operation) }
    },
    Scenario("DP-04", "Two operations that depend on each other", .byDesign("the edge that closes a loop is an error"))
    {
      let log = Log()
      let (one, other) = (BlockOperation { log("one") }, BlockOperation { log("other") })
      one.addDependency(other)
      other.addDependency(one)
      let queue = OperationQueue()
      queue.addOperation(one)
      queue.addOperation(other)
      settleOld()
      return "no error; ran \(log.order)"
    } ours: {
      let log = Log()
      let one = AsyncOperation(name: "one") { log("one") }
      let other = AsyncOperation(name: "other") { log("other") }
      try await one.addDependency(other)
      let result = await error { try await other.addDependency(one) }
      let queue = AsyncOperationQueue()
      await queue.add(one, other)
      await queue.waitUntilAllOperationsAreFinished()
      return "\(result); ran \(log.order)"
    },
    Scenario(
      "DP-05", "Three operations in a loop, of which the third is cancelled",
      .byDesign("a loop cannot be made; the operation that is cancelled frees those behind it all the same")
    ) {
      let log = Log()
      let operations = ["1", "2", "3"].map { name in BlockOperation { log(name) } }
      operations[0].addDependency(operations[1])
      operations[1].addDependency(operations[2])
      operations[2].addDependency(operations[0])
      let queue = OperationQueue()
      for operation in operations { queue.addOperation(operation) }
      operations[2].cancel()
      queue.waitUntilAllOperationsAreFinished()
      return "no error; ran \(log.order)"
    } ours: {
      let log = Log()
      let operations = ["1", "2", "3"].map { name in AsyncOperation(name: name) { log(name) } }
      try await operations[0].addDependency(operations[1])
      try await operations[1].addDependency(operations[2])
      let result = await error { try await operations[2].addDependency(operations[0]) }
      try await operations[2].addDependency(AsyncOperation {})
      let queue = AsyncOperationQueue()
      await queue.add(operations)
      operations[2].cancel()
      await queue.waitUntilAllOperationsAreFinished()
      return "\(result); ran \(log.order)"
    },
    Scenario("DP-06", "A finished dependency does not hold back, and is listed") {
      let (operation, dependency) = (BlockOperation {}, BlockOperation {})
      dependency.start()
      operation.addDependency(dependency)
      return findings("ready \(operation.isReady.word)", "listed \(operation.dependencies.count)")
    } ours: {
      let (operation, dependency) = (AsyncOperation {}, AsyncOperation {})
      try await dependency.start()
      try await operation.addDependency(dependency)
      return findings("ready \(operation.isReady.word)", "listed \(operation.dependencies.count)")
    },
    Scenario("DP-07", "A dependency that executes holds back until it has finished") {
      let log = Log()
      let blocker = OldBlocker { log("dependency") }
      let operation = BlockOperation { log("dependent") }
      let queue = OperationQueue()
      queue.addOperation(blocker.operation)
      blocker.begun.comesBlocking()
      operation.addDependency(blocker.operation)
      queue.addOperation(operation)
      settleOld()
      blocker.release.open()
      queue.waitUntilAllOperationsAreFinished()
      return log.order
    } ours: {
      let log = Log()
      let blocker = Blocker { log("dependency") }
      let operation = AsyncOperation { log("dependent") }
      let queue = AsyncOperationQueue()
      await queue.add(blocker.operation)
      await blocker.begun.comes()
      try await operation.addDependency(blocker.operation)
      await queue.add(operation)
      await settle()
      blocker.release.open()
      await queue.waitUntilAllOperationsAreFinished()
      return log.order
    },
    Scenario(
      "DP-08", "An executing operation that is given a dependency",
      .byDesign("it has no effect, so it is not listed either")
    ) {
      let blocker = OldBlocker()
      OperationQueue().addOperation(blocker.operation)
      blocker.begun.comesBlocking()
      blocker.operation.addDependency(BlockOperation {})
      let listed = blocker.operation.dependencies.count
      blocker.release.open()
      return findings("listed \(listed)", "finishes \(blocker.operation.finishes().word)")
    } ours: {
      let blocker = Blocker()
      await AsyncOperationQueue().add(blocker.operation)
      await blocker.begun.comes()
      try await blocker.operation.addDependency(AsyncOperation {})
      let listed = blocker.operation.dependencies.count
      blocker.release.open()
      return await findings("listed \(listed)", "finishes \(blocker.operation.finishes().word)")
    },
    Scenario("DP-09", "A dependency added while the operation waits in a queue is heeded") {
      let log = Log()
      let queue = OperationQueue(4, isSuspended: true)
      let operation = BlockOperation { log("operation") }
      let dependency = BlockOperation { log("dependency") }
      queue.addOperation(operation)
      operation.addDependency(dependency)
      queue.addOperation(dependency)
      queue.isSuspended = false
      queue.waitUntilAllOperationsAreFinished()
      return log.order
    } ours: {
      let log = Log()
      let queue = AsyncOperationQueue(4, isSuspended: true)
      let operation = AsyncOperation { log("operation") }
      let dependency = AsyncOperation { log("dependency") }
      await queue.add(operation)
      try await operation.addDependency(dependency)
      await queue.add(dependency)
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      return log.order
    },
    Scenario("DP-10", "A cancelled operation that is given a dependency") {
      let operation = BlockOperation {}
      operation.cancel()
      operation.addDependency(BlockOperation {})
      return findings("ready \(operation.isReady.word)", "listed \(operation.dependencies.count)")
    } ours: {
      let operation = AsyncOperation {}
      operation.cancel()
      try await operation.addDependency(AsyncOperation {})
      return findings("ready \(operation.isReady.word)", "listed \(operation.dependencies.count)")
    },
    Scenario("DP-11", "A dependency in another queue") {
      let log = Log()
      let (one, other) = (OperationQueue(), OperationQueue(1, isSuspended: true))
      let (operation, dependency) = (BlockOperation { log("operation") }, BlockOperation { log("dependency") })
      operation.addDependency(dependency)
      one.addOperation(operation)
      other.addOperation(dependency)
      other.isSuspended = false
      one.waitUntilAllOperationsAreFinished()
      return log.order
    } ours: {
      let log = Log()
      let (one, other) = (AsyncOperationQueue(), AsyncOperationQueue(1, isSuspended: true))
      let (operation, dependency) = (AsyncOperation { log("operation") }, AsyncOperation { log("dependency") })
      try await operation.addDependency(dependency)
      await one.add(operation)
      await other.add(dependency)
      await other.resume()
      await one.waitUntilAllOperationsAreFinished()
      return log.order
    },
    Scenario("DP-12", "What depends on an operation that nobody runs waits, and others overtake it") {
      let log = Log()
      let queue = OperationQueue(1)
      let operation = BlockOperation { log("dependent") }
      operation.addDependency(BlockOperation {})
      queue.addOperation(operation)
      let other = BlockOperation { log("other") }
      queue.addOperation(other)
      _ = other.finishes()
      settleOld()
      return "\(log.order); \(queue.operationCount) left"
    } ours: {
      let log = Log()
      let queue = AsyncOperationQueue(1)
      let operation = AsyncOperation { log("dependent") }
      let dependency = AsyncOperation {}
      try await operation.addDependency(dependency)
      await queue.add(operation)
      await queue.addAndWait([AsyncOperation { log("other") }])
      await settle()
      return "\(log.order); \(queue.operationCount) left"
    },
    Scenario("DP-13", "What depends on a cancelled operation runs all the same") {
      let log = Log()
      let (operation, dependency) = (BlockOperation { log("operation") }, BlockOperation { log("dependency") })
      operation.addDependency(dependency)
      dependency.cancel()
      let queue = OperationQueue()
      queue.addOperation(operation)
      queue.addOperation(dependency)
      queue.waitUntilAllOperationsAreFinished()
      return log.order
    } ours: {
      let log = Log()
      let (operation, dependency) = (AsyncOperation { log("operation") }, AsyncOperation { log("dependency") })
      try await operation.addDependency(dependency)
      dependency.cancel()
      let queue = AsyncOperationQueue()
      await queue.add(operation, dependency)
      await queue.waitUntilAllOperationsAreFinished()
      return log.order
    },
    Scenario("DP-14", "A cancelled dependency holds back until somebody starts it") {
      let (operation, dependency) = (BlockOperation {}, BlockOperation {})
      operation.addDependency(dependency)
      dependency.cancel()
      let before = operation.isReady
      dependency.start()
      return findings("cancelled: ready \(before.word)", "started: ready \(operation.isReady.word)")
    } ours: {
      let (operation, dependency) = (AsyncOperation {}, AsyncOperation {})
      try await operation.addDependency(dependency)
      dependency.cancel()
      let before = operation.isReady
      try await dependency.start()
      return findings("cancelled: ready \(before.word)", "started: ready \(operation.isReady.word)")
    },
  ]
}
