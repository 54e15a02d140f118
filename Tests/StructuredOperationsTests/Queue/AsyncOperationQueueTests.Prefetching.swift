import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  /// What a child task runs next without a turn of the queue is what a turn would have chosen.
  @Suite("Prefetching", .timeLimit(.minutes(15)), .hangGuard)
  struct Prefetching {
    private let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, isSuspended: true)
    private let recorder = Recorder<String>()

    private func operation(_ name: String) -> AsyncOperation<Void> {
      AsyncOperation(name: name) { recorder.note(name) }
    }

    @Test("What becomes ready and was added earlier runs before what was prefetched")
    func earlier() async throws {
      let (early, first) = (operation("early"), operation("first"))
      try await early.addDependency(first)
      await queue.add([early, first] + (0..<8).map { operation("\($0)") })
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      let numbers: [String] = (0..<8).map { "\($0)" }
      #expect(recorder.begun == ["first", "early"] + numbers)
    }

    @Test(
      "What becomes ready and was added later runs after what was prefetched, unless its priority is higher",
      arguments: [false, true])
    func later(isUrgent: Bool) async throws {
      let (late, first) = (operation("late"), operation("first"))
      if isUrgent { await late.setQueuePriority(.high) }
      try await late.addDependency(first)
      await queue.add([first] + (0..<8).map { operation("\($0)") } + [late])
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      let numbers = (0..<8).map(String.init)
      #expect(recorder.begun == (isUrgent ? ["first", "late"] + numbers : ["first"] + numbers + ["late"]))
    }

    @Test(
      "So it is in the midst of a long batch, whether or not something in another queue becomes ready, too",
      arguments: [false, true])
    func amidst(hasOther: Bool) async throws {
      let operations = (0..<2_000).map { operation("\($0)") }
      let (early, late, other) = (operation("early"), operation("late"), AsyncOperation {})
      try await early.addDependency(operations[1_100])
      try await late.addDependency(operations[1_120])
      if hasOther { try await other.addDependency(operations[1_120]) }
      let otherQueue = AsyncOperationQueue()
      await otherQueue.add(other)
      await queue.add([early] + operations + [late])
      await queue.resume()
      await other.waitUntilFinished()
      await queue.waitUntilAllOperationsAreFinished()
      let numbers = (0..<2_000).map(String.init)
      let expected: [String] = numbers[...1_100] + ["early"] + numbers[1_101...] + ["late"]
      #expect(recorder.begun == expected)
    }

    /// The turn comes between the two halves of adding an array: operations are assigned to the queue, and then posted.
    @Test("An operation of an array that is raised before the queue hears of it runs before what was chosen ahead")
    func raisedBeforePosting() async throws {
      let (begun, release) = (Gate(), Gate())
      let urgent = operation("urgent")
      // Of the same traits as the others, so that its child task can go on with them.
      let blocking = AsyncOperation {
        begun.open()
        release.waitBlocking()
      }
      let others = (0..<8).map { operation("\($0)") }
      await queue.add([blocking] + others)
      await queue.resume()
      await begun.wait()
      guard
        case .enqueued(let enqueued) = urgent.storage.enqueue(urgent, in: queue, holdsEvents: true)
      else { throw Unexpected("not enqueued") }
      var additions = AsyncOperationQueue.Additions()
      additions.append(urgent.storage, enqueued)
      await urgent.setQueuePriority(.veryHigh)
      await queue.process()
      #expect(queue.shared.beginAdding())
      queue.post(additions)
      release.open()
      // Not for the queue: that takes a turn.
      for operation in others + [urgent] { await operation.waitUntilFinished() }
      #expect(recorder.begun == ["urgent"] + (0..<8).map(String.init))
    }

    @Test("What is added meanwhile with a higher priority runs before the dependents of the operation that finishes")
    func urgent() async throws {
      let urgent = operation("urgent")
      await urgent.setQueuePriority(.high)
      let first = AsyncOperation { [queue, recorder] () async in
        recorder.note("first")
        await queue.add(urgent)
      }
      let (second, third) = (operation("second"), operation("third"))
      try await second.addDependency(first)
      try await third.addDependency(second)
      await queue.add(first, second, third)
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.begun == ["first", "urgent", "second", "third"])
    }

    @Test("A queue that was suspended meanwhile starts no dependents of the operation that finishes")
    func suspended() async throws {
      let first = AsyncOperation { [queue] () async in await queue.suspend() }
      let second = operation("second")
      try await second.addDependency(first)
      await queue.add(first, second)
      await queue.resume()
      await first.waitUntilFinished()
      #expect(queue.snapshot.executingCount == 0)
      #expect(recorder.begun.isEmpty && second.state == .ready)
      await queue.resume()
      await second.waitUntilFinished()
    }

    @Test("A dependent behind a barrier waits for the barrier, too, though its dependency has finished")
    func barrier() async throws {
      let (first, second) = (operation("first"), operation("second"))
      try await second.addDependency(first)
      await queue.add(first)
      await queue.addBarrier { [recorder] in recorder.note("barrier") }
      await queue.add(second)
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.begun == ["first", "barrier", "second"])
    }

    @Test("A slot above a limit that was lowered goes to no dependent")
    func limit() async throws {
      let (wide, firstMayEnd, otherMayEnd) = (AsyncOperationQueue(maxConcurrentOperationCount: 2), Gate(), Gate())
      let first = AsyncOperation { await firstMayEnd.wait() }
      let other = AsyncOperation { await otherMayEnd.wait() }
      let second = operation("second")
      try await second.addDependency(first)
      await wide.add(first, other, second)
      #expect(await eventually { wide.snapshot.executingCount == 2 })
      try await wide.setMaxConcurrentOperationCount(1)
      firstMayEnd.open()
      await first.waitUntilFinished()
      #expect(wide.snapshot.executingCount == 1)
      #expect(second.state == .ready)
      otherMayEnd.open()
      await second.waitUntilFinished()
    }

    @Test("A chain across kinds of bodies runs each of them where it has to")
    func kindsOfBodies() async throws {
      let places = Locked<[Bool]>([])
      let first = AsyncOperation { () async in places.withLock { $0.append(PoolThread.current != nil) } }
      let second = AsyncOperation { () in places.withLock { $0.append(PoolThread.current != nil) } }
      let third = AsyncOperation { () async in places.withLock { $0.append(PoolThread.current != nil) } }
      try await second.addDependency(first)
      try await third.addDependency(second)
      await queue.add(first, second, third)
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(places.withLock { $0 } == [false, true, false])
    }

    @Test("Operations that one end makes ready run at the same time where slots are free")
    func severalAtOnce() async throws {
      let wide = AsyncOperationQueue(maxConcurrentOperationCount: 2)
      let (first, begun) = (operation("first"), [Gate(), Gate()])
      let others = (0..<2).map { index in
        AsyncOperation {
          begun[index].open()
          await begun[1 - index].wait()
        }
      }
      for other in others { try await other.addDependency(first) }
      await wide.add([first] + others)
      for other in others { await other.waitUntilFinished() }
    }

    @Test("Pipelines of several steps run in the order of addition, whatever becomes ready when", arguments: [1, 2])
    func pipelines(width: Int) async throws {
      try await queue.setMaxConcurrentOperationCount(width)
      var operations: [AsyncOperation<Void>] = []
      for item in 0..<100 {
        for step in 0..<3 {
          operations.append(operation("\(item).\(step)"))
          if step > 0 { try await operations[3 * item + step].addDependency(operations[3 * item + step - 1]) }
        }
      }
      await queue.add(operations)
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      if width == 1 { #expect(recorder.begun == operations.compactMap(\.name)) }
      for item in 0..<100 {
        let steps = recorder.begun.filter { $0.hasPrefix("\(item).") }
        #expect(steps == (0..<3).map { "\(item).\($0)" })
      }
    }

    /// What happens to a chain once its queue has admitted all of it, and runs its first link.
    enum ChainChange: CaseIterable { case none, moved, linkedLate }

    @Test("A chain takes few turns, though its links were moved or linked late", arguments: ChainChange.allCases)
    func turnsOfChain(change: ChainChange) async throws {
      let (begun, mayEnd) = (Gate(), Gate())
      let first = AsyncOperation(name: "0") { [recorder] () async in
        recorder.note("0")
        begun.open()
        await mayEnd.wait()
      }
      let links = [first] + (1..<3_000).map { operation("\($0)") }
      func link() async throws {
        for (link, next) in zip(links, links.dropFirst()) { try await next.addDependency(link) }
      }
      if change != .linkedLate { try await link() }
      await queue.resume()
      await queue.add(links)
      await begun.wait()
      if change == .linkedLate { try await link() }
      if change == .moved { for link in links { await link.setQueuePriority(.high) } }
      let before = queue.shared.batchNumber
      mayEnd.open()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.begun == links.compactMap(\.name))
      #expect(queue.shared.batchNumber - before < 50, "a turn for each link, or for every few of them")
    }

    @Test("A chain whose links change while it runs runs each of them once, in its order")
    func changingChain() async throws {
      let links = (0..<2_000).map { operation("\($0)") }
      for (link, next) in zip(links, links.dropFirst()) { try await next.addDependency(link) }
      await queue.add(links)
      await queue.resume()
      let changing = Task.detached {
        for link in links.reversed() where !link.isFinished {
          link.setQueuePriority(.high)
          link.setQueuePriority(.normal)
        }
      }
      await queue.waitUntilAllOperationsAreFinished()
      await changing.value
      #expect(recorder.begun == links.compactMap(\.name))
    }

    @Test("Dependents whose priority changed between their adding and the next turn run where that has moved them")
    func movedDependents() async throws {
      let first = operation("first")
      let dependents = ["a", "b", "c"].map(operation)
      for dependent in dependents { try await dependent.addDependency(first) }
      await queue.add([first] + dependents)
      await dependents[1].setQueuePriority(.high)
      await dependents[1].setQueuePriority(.normal)
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.begun == ["first", "a", "c", "b"])
    }
  }
}
