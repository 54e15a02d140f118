import Foundation
import StructuredOperations

extension Scenarios {
  static let introspection = [
    Scenario("QI-01, QI-02", "`operations` lists what executes and waits, in the order of addition") {
      let queue = OperationQueue(1)
      let blocker = OldBlocker()
      blocker.operation.name = "a"
      let (low, high) = (BlockOperation {}, BlockOperation {})
      (low.name, high.name) = ("b", "c")
      (low.queuePriority, high.queuePriority) = (.low, .high)
      queue.addOperation(blocker.operation)
      blocker.begun.comesBlocking()
      queue.addOperation(low)
      queue.addOperation(high)
      defer { blocker.release.open() }
      return findings(
        queue.operations.map { $0.name ?? "?" }.joined(separator: " "), "count \(queue.operationCount)")
    } ours: {
      let queue = AsyncOperationQueue(1)
      let (begun, release) = (Signal(), Signal())
      await queue.add(name: "a") {
        begun.open()
        await release.comes(within: .infinity)
      }
      await begun.comes()
      await queue.add(name: "b", queuePriority: .low) {}
      await queue.add(name: "c", queuePriority: .high) {}
      defer { release.open() }
      return await findings(
        queue.operations.map { $0.name ?? "?" }.joined(separator: " "), "count \(queue.operationCount)")
    },
    Scenario(
      "QI-06", "Of two operations, one cancelled before it began, the progress counts",
      .byDesign("every operation that has finished counts, so that the progress reaches its end")
    ) {
      let queue = OperationQueue(1, isSuspended: true)
      queue.progress.totalUnitCount = 2
      let cancelled = BlockOperation {}
      queue.addOperation(cancelled)
      queue.addOperation {}
      cancelled.cancel()
      queue.isSuspended = false
      queue.waitUntilAllOperationsAreFinished()
      return "\(queue.progress.completedUnitCount) of \(queue.progress.totalUnitCount)"
    } ours: {
      let queue = AsyncOperationQueue(1, isSuspended: true)
      let cancelled = AsyncOperation {}
      await queue.add(cancelled)
      await queue.add {}
      cancelled.cancel()
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      let snapshot = queue.snapshot
      return "\(snapshot.completedCount) of \(snapshot.totalCount)"
    },
    Scenario(
      "QI-06", "Of two operations, one asynchronous, the progress counts",
      .byDesign("every operation that has finished counts, so that the progress reaches its end")
    ) {
      let queue = OperationQueue(1)
      queue.progress.totalUnitCount = 2
      queue.addOperation(OldAsynchronousOperation { $0.finish() })
      queue.addOperation {}
      queue.waitUntilAllOperationsAreFinished()
      return "\(queue.progress.completedUnitCount) of \(queue.progress.totalUnitCount)"
    } ours: {
      let queue = AsyncOperationQueue(1)
      await queue.add { await Task.yield() }
      await queue.add {}
      await queue.waitUntilAllOperationsAreFinished()
      let snapshot = queue.snapshot
      return "\(snapshot.completedCount) of \(snapshot.totalCount)"
    },
    Scenario("QI-09", "A queue without a name has one") {
      (OperationQueue().name?.isEmpty == false).word
    } ours: {
      (!AsyncOperationQueue().name.isEmpty).word
    },
    Scenario("QI-11", "`current` in a body is its queue, and is nil on a thread of the program's own") {
      let log = Log()
      let queue = OperationQueue()
      let operation = BlockOperation { log("in \((OperationQueue.current === queue).word)") }
      queue.addOperations([operation], waitUntilFinished: true)
      log("outside \((OperationQueue.current != nil).word)")
      return log.order
    } ours: {
      let log = Log()
      let queue = AsyncOperationQueue()
      await queue.addAndWait([AsyncOperation { log("in \((AsyncOperationQueue.current === queue).word)") }])
      log("outside \((AsyncOperationQueue.current != nil).word)")
      return log.order
    },
    Scenario(
      "QI-11", "`current` on the main thread, outside of operations",
      .byDesign("it is nil where no operation of a queue runs")
    ) {
      let log = Log()
      let done = Signal()
      DispatchQueue.main.async {
        log(OperationQueue.current === OperationQueue.main ? "main" : "nil")
        done.open()
      }
      done.comesBlocking()
      return log.order
    } ours: {
      await MainActor.run { AsyncOperationQueue.current === AsyncOperationQueue.main ? "main" : "nil" }
    },
    Scenario("QI-12", "A queue that nobody holds runs what it has, and goes away") {
      let (ran, gone) = (Signal(), Signal())
      func add() -> () -> Bool {
        let queue = OperationQueue()
        let blocker = OldBlocker { ran.open() }
        queue.addOperation(blocker.operation)
        blocker.begun.comesBlocking()
        defer { blocker.release.open() }
        return { [weak queue] in queue == nil }
      }
      let isGone = add()
      let hasRun = ran.comesBlocking()
      for _ in 0..<200 where !gone.isOpen {
        settleOld()
        if isGone() { gone.open() }
      }
      return findings("runs \(hasRun.word)", "goes \(gone.isOpen.word)")
    } ours: {
      let (ran, gone) = (Signal(), Signal())
      func add() async -> () -> Bool {
        let queue = AsyncOperationQueue()
        let blocker = Blocker { ran.open() }
        await queue.add(blocker.operation)
        await blocker.begun.comes()
        defer { blocker.release.open() }
        return { [weak queue] in queue == nil }
      }
      let isGone = await add()
      let hasRun = await ran.comes()
      for _ in 0..<200 where !gone.isOpen {
        await settle()
        if isGone() { gone.open() }
      }
      return findings("runs \(hasRun.word)", "goes \(gone.isOpen.word)")
    },
    Scenario("QI-13", "The main queue runs on the main thread, and is `current` there") {
      let log = Log()
      let operation = BlockOperation {
        log("thread \(Thread.isMainThread.word)")
        log("current \((OperationQueue.current === OperationQueue.main).word)")
      }
      OperationQueue.main.addOperation(operation)
      operation.waitUntilFinished()
      return log.order
    } ours: {
      let log = Log()
      let operation = AsyncOperation {
        log("thread \(Thread.isMainThread.word)")
        log("current \((AsyncOperationQueue.current === AsyncOperationQueue.main).word)")
      }
      await AsyncOperationQueue.main.add(operation)
      await operation.waitUntilFinished()
      return log.order
    },
  ]
}
