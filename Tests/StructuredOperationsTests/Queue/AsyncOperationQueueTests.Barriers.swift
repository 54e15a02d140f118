import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Barriers")
  struct Barriers {
    @Test("Several barriers in a row run one after another, and their blocks are freed")
    func severalInARow() async {
      let queue = AsyncOperationQueue()
      let recorder = Recorder<Int>()
      let gone = Gate()
      func add() async {
        let canary = Canary(gone)
        for number in 0..<10 {
          await queue.addBarrier {
            canary.sing()
            recorder.begin(number)
            await Task.yield()
            recorder.end(number)
          }
        }
      }
      await add()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == Array(0..<10))
      #expect(recorder.peak == 1)
      await gone.wait()
    }

    @Test("A barrier is an operation with a name, an output or an error, and states")
    func operation() async throws {
      let queue = AsyncOperationQueue()
      let named = await queue.addBarrier(name: "compact") { AsyncOperation.current?.name }
      let failing = await queue.addBarrier { () async throws -> Int in throw Failure(code: 3) }
      func add() -> AsyncOperation<Int> { queue.addBarrier { 42 } }
      func addAsynchronous() -> AsyncOperation<Int> { queue.addBarrier { () async in 43 } }
      #expect(try await named.value == "compact")
      await #expect(throws: Failure(code: 3)) { try await failing.value }
      #expect(try await add().value == 42)
      #expect(try await addAsynchronous().value == 43)
      #expect(!add().isAsynchronous && addAsynchronous().isAsynchronous)
      #expect("\(add())".contains("AsyncOperationQueueTests.Barriers.swift:"))
      await queue.waitUntilAllOperationsAreFinished()
      #expect(queue.snapshot.totalCount == 0)
    }

    @Test("The executor and the priority that it is given are those of its body")
    func traits() async throws {
      let executor = LabelledExecutor("barrier")
      let barrier = await AsyncOperationQueue().addBarrier(taskPriority: .high, executor: executor) {
        (LabelledExecutor.currentLabel, Task.basePriority == .high)
      }
      let (label, isHigh) = try await barrier.value
      #expect(label == "barrier" && isHigh)
    }

    @Test("It may depend on operations of other queues, and is skipped in its place where a required one fails")
    func dependencies() async throws {
      let (queue, other) = (AsyncOperationQueue(), AsyncOperationQueue())
      let blocker = Blocker()
      let failing = AsyncOperation { throw Failure() }
      let recorder = Recorder<Int>()
      await queue.suspend()
      let waiting = await queue.addBarrier { recorder.note(1) }
      let skipped = await queue.addBarrier { recorder.note(2) }
      let last = await queue.add { recorder.note(3) }
      try await waiting.addDependency(blocker.operation)
      try await skipped.addDependency(failing, requiring: .success)
      await queue.resume()
      await other.add(failing, blocker.operation)
      await failing.waitUntilFinished()
      #expect(!skipped.isFinished && waiting.state == .pending)
      blocker.release.open()
      try await last.value
      #expect(recorder.ended == [1, 3])
      #expect(skipped.outcome?.error != nil)
      #expect(waiting.outcome?.isSuccess == true)
    }

    @Test("What it depends on passes it, though that was added behind it", arguments: [1, 4])
    func passedByItsDependency(width: Int) async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: width, isSuspended: true)
      let recorder = Recorder<String>()
      await queue.add { recorder.note("ahead") }
      let barrier = await queue.addBarrier { recorder.note("barrier") }
      await queue.add { recorder.note("behind") }
      let needed = await queue.add { recorder.note("needed") }
      try await barrier.addDependency(needed)
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == ["ahead", "needed", "barrier", "behind"])
    }

    @Test("An operation ahead of barriers that depends on them falls behind them", arguments: [false, true])
    func awaitedByOneAhead(isThroughAnother: Bool) async throws {
      let queue = AsyncOperationQueue(isSuspended: true)
      let recorder = Recorder<String>()
      let ahead = await queue.add { recorder.note("ahead") }
      await queue.add { recorder.note("other") }
      let first = await queue.addBarrier { recorder.note("first") }
      let second = await queue.addBarrier { recorder.note("second") }
      await queue.add { recorder.note("behind") }
      if isThroughAnother {
        let between = await AsyncOperationQueue().add(after: second) { _ in recorder.note("between") }
        try await ahead.addDependency(between)
      } else {
        try await ahead.addDependency(second)
      }
      try await ahead.addDependency(first)
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended.prefix(3) == ["other", "first", "second"])
      #expect(recorder.ended.count == (isThroughAnother ? 6 : 5) && recorder.ended.contains("ahead"))
    }

    enum Link: CaseIterable { case direct, between, ahead, elsewhere, behind }

    @Test("A barrier that depends on a later one falls behind it, also through others", arguments: Link.allCases)
    func awaitsLaterOne(_ link: Link) async throws {
      let queue = AsyncOperationQueue(isSuspended: true)
      let recorder = Recorder<String>()
      let through = AsyncOperation { recorder.note("through") }
      await queue.add { recorder.note("ahead") }
      if link == .ahead { await queue.add(through) }
      let first = await queue.addBarrier { recorder.note("first") }
      await queue.add { recorder.note("between") }
      if link == .between { await queue.add(through) }
      let second = await queue.addBarrier { recorder.note("second") }
      if link != .direct { try await through.addDependency(second) }
      if link == .elsewhere { await AsyncOperationQueue().add(through) }
      if link == .behind { await queue.add(through) }
      try await first.addDependency(link == .direct ? second : through)
      let last = await queue.addBarrier { recorder.note("last") }
      await queue.resume()
      await last.waitUntilFinished()
      #expect(
        recorder.ended == ["ahead", "between", "second"] + (link == .direct ? [] : ["through"]) + ["first", "last"])
    }

    @Test("It stays in its place where the dependency is removed while the queue is suspended")
    func fallsNotWhileSuspended() async throws {
      let queue = AsyncOperationQueue(isSuspended: true)
      let recorder = Recorder<String>()
      let first = await queue.addBarrier { recorder.note("first") }
      await queue.add { recorder.note("between") }
      let second = await queue.addBarrier { recorder.note("second") }
      try await first.addDependency(second)
      #expect(await queue.becomesQuiescent())
      await first.removeDependency(second)
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == ["first", "between", "second"])
    }

    @Test("So does one of several that depend on each other against their order, and at an edge that is added late")
    func barriersInReverse() async throws {
      let queue = AsyncOperationQueue(isSuspended: true)
      let recorder = Recorder<Int>()
      let never = AsyncOperation {}
      var barriers: [AsyncOperation<Void>] = []
      for number in 0..<5 {
        let barrier = await queue.addBarrier { recorder.note(number) }
        if number == 0 { try await barrier.addDependency(never) }
        barriers.append(barrier)
      }
      await queue.resume()
      #expect(await queue.becomesQuiescent(waiting: 0))
      for (barrier, next) in zip(barriers.dropFirst(), barriers.dropFirst(2)) { try await barrier.addDependency(next) }
      try await barriers[0].addDependency(barriers[1])
      await barriers[0].removeDependency(never)
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == [4, 3, 2, 1, 0])
    }

    @Test("It falls behind also where the dependency is added while nothing runs any more")
    func awaitedLate() async throws {
      let queue = AsyncOperationQueue()
      let recorder = Recorder<String>()
      let never = AsyncOperation {}
      let ahead = AsyncOperation { recorder.note("ahead") }
      try await ahead.addDependency(never)
      await queue.add(ahead)
      let barrier = await queue.addBarrier { recorder.note("barrier") }
      #expect(await queue.becomesQuiescent(waiting: 0))
      try await ahead.addDependency(barrier)
      await ahead.removeDependency(never)
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == ["barrier", "ahead"])
    }

    @Test("Cancelled alone it skips its body, and what is behind it goes on waiting for what is ahead")
    func cancelled() async {
      let queue = AsyncOperationQueue()
      let blocker = Blocker()
      await queue.add(blocker.operation)
      let barrier = await queue.addBarrier { () -> Void in Issue.record("it ran") }
      let behind = await queue.add { blocker.operation.isFinished }
      barrier.cancel()
      await blocker.begun.wait()
      _ = await queue.operations
      #expect(!barrier.isFinished && !behind.isFinished)
      blocker.release.open()
      #expect((try? await behind.value) == true)
      #expect(barrier.outcome?.isCancelled == true)
    }
  }
}
