import Foundation
import StructuredOperations

extension Scenarios {
  private static let twice = "`add` says that it did not, `enqueue` throws why; the operation runs once all the same"

  static let adding = [
    Scenario("QA-02", "Adding an operation to the queue it waits in", .byDesign(twice)) {
      let queue = OperationQueue(1, isSuspended: true)
      let operation = BlockOperation {}
      queue.addOperation(operation)
      queue.addOperation(operation)
      return "added"
    } ours: {
      let queue = AsyncOperationQueue(1, isSuspended: true)
      let operation = AsyncOperation {}
      await queue.add(operation)
      let isAdded = await queue.add(operation)
      let error = await error { try await queue.enqueue(operation) }
      return "added \(isAdded.word), \(error)"
    },
    Scenario("QA-02", "Adding an operation to a second queue", .byDesign(twice)) {
      let operation = BlockOperation {}
      OperationQueue(1, isSuspended: true).addOperation(operation)
      OperationQueue(1).addOperation(operation)
      return "added"
    } ours: {
      let operation = AsyncOperation {}
      await AsyncOperationQueue(1, isSuspended: true).add(operation)
      let queue = AsyncOperationQueue(1)
      let isAdded = await queue.add(operation)
      let error = await error { try await queue.enqueue(operation) }
      return "added \(isAdded.word), \(error)"
    },
    Scenario("QA-03", "Adding an operation that executes", .byDesign(twice)) {
      let blocker = OldBlocker()
      Thread { blocker.operation.start() }.start()
      blocker.begun.comesBlocking()
      OperationQueue().addOperation(blocker.operation)
      return "added"
    } ours: {
      let blocker = Blocker()
      async let started: Void = blocker.operation.start()
      await blocker.begun.comes()
      let queue = AsyncOperationQueue()
      let isAdded = await queue.add(blocker.operation)
      let error = await error { try await queue.enqueue(blocker.operation) }
      blocker.release.open()
      try await started
      return "added \(isAdded.word), \(error)"
    },
    Scenario("QA-04", "Adding an operation that has finished", .byDesign(twice)) {
      let operation = BlockOperation {}
      operation.start()
      OperationQueue().addOperation(operation)
      return "added"
    } ours: {
      let operation = AsyncOperation {}
      try await operation.start()
      let queue = AsyncOperationQueue()
      let isAdded = await queue.add(operation)
      let error = await error { try await queue.enqueue(operation) }
      return "added \(isAdded.word), \(error)"
    },
    Scenario(
      "QA-07", "Adding a batch with a finished operation in it",
      .byDesign("`enqueue` throws and adds none; `add` adds the others and tells how many")
    ) {
      let (operation, finished) = (BlockOperation {}, BlockOperation {})
      finished.start()
      OperationQueue().addOperations([operation, finished], waitUntilFinished: false)
      return "added"
    } ours: {
      let (operation, finished) = (AsyncOperation {}, AsyncOperation {})
      try await finished.start()
      let queue = AsyncOperationQueue(1, isSuspended: true)
      let error = await error { try await queue.enqueue([operation, finished]) }
      let count = queue.operationCount
      return await "\(error), \(count) added; add: \(queue.add([operation, finished])) added"
    },
    Scenario(
      "QA-08", "Adding a batch with an operation in it twice",
      .byDesign("`enqueue` throws and adds none; `add` adds it once")
    ) {
      let operation = BlockOperation {}
      OperationQueue().addOperations([operation, operation], waitUntilFinished: false)
      return "added"
    } ours: {
      let operation = AsyncOperation {}
      let queue = AsyncOperationQueue(1, isSuspended: true)
      let error = await error { try await queue.enqueue([operation, operation]) }
      let count = queue.operationCount
      return await "\(error), \(count) added; add: \(queue.add([operation, operation])) added"
    },
    Scenario("QA-09", "Adding nothing, and waiting for it, beside an operation that runs") {
      let queue = OperationQueue()
      let blocker = OldBlocker()
      queue.addOperation(blocker.operation)
      queue.addOperations([], waitUntilFinished: true)
      defer { blocker.release.open() }
      return "returned before the other has finished \((!blocker.operation.isFinished).word)"
    } ours: {
      let queue = AsyncOperationQueue()
      let blocker = Blocker()
      await queue.add(blocker.operation)
      await queue.addAndWait([])
      defer { blocker.release.open() }
      return "returned before the other has finished \((!blocker.operation.isFinished).word)"
    },
    Scenario("QA-10", "Adding and waiting waits for what is added, and not for the whole queue") {
      let queue = OperationQueue()
      let blocker = OldBlocker()
      queue.addOperation(blocker.operation)
      queue.addOperations([BlockOperation {}, BlockOperation {}], waitUntilFinished: true)
      defer { blocker.release.open() }
      return "returned before the other has finished \((!blocker.operation.isFinished).word)"
    } ours: {
      let queue = AsyncOperationQueue()
      let blocker = Blocker()
      await queue.add(blocker.operation)
      await queue.addAndWait([AsyncOperation {}, AsyncOperation {}])
      defer { blocker.release.open() }
      return "returned before the other has finished \((!blocker.operation.isFinished).word)"
    },
    Scenario("QA-12", "Twenty operations of one thread keep their order, on a serial queue") {
      let log = Log()
      let queue = OperationQueue(1)
      for number in 0..<20 { queue.addOperation { log("\(number)") } }
      queue.waitUntilAllOperationsAreFinished()
      return log.order
    } ours: {
      let log = Log()
      let queue = AsyncOperationQueue(1)
      for number in 0..<20 { await queue.add { log("\(number)") } }
      await queue.waitUntilAllOperationsAreFinished()
      return log.order
    },
    Scenario("QA-14", "An operation that is added from a body of the queue runs") {
      let log = Log()
      let queue = OperationQueue(1)
      queue.addOperation {
        log("outer")
        queue.addOperation { log("inner") }
      }
      queue.waitUntilAllOperationsAreFinished()
      return log.order
    } ours: {
      let log = Log()
      let queue = AsyncOperationQueue(1)
      await queue.add {
        log("outer")
        queue.add { log("inner") }
      }
      await queue.waitUntilAllOperationsAreFinished()
      return log.order
    },
  ]
}
