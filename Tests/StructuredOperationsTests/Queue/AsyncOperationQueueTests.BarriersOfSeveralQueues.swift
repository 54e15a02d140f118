import Testing
import TestSupport

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Loops through barriers of several queues")
  struct BarriersOfSeveralQueues {
    @Test("A ring of bodies, each ahead of a barrier, that wait for what is behind the next one's", arguments: 2...4)
    func ring(count: Int) async throws {
      let queues = (0..<count).map { _ in AsyncOperationQueue() }
      let behind = (0..<count).map { number in AsyncOperation { number } }
      let ahead = (0..<count).map { number in
        AsyncOperation { try await behind[(number + 1) % count].valueOrDeadlock() }
      }
      for number in 0..<count {
        await queues[number].add(ahead[number])
        await queues[number].addBarrier {}
        await queues[number].add(behind[number])
      }
      var values: [Int] = []
      for operation in ahead { values.append(try await operation.value) }
      for number in 0..<count { #expect(values[number] == -1 || values[number] == (number + 1) % count) }
      #expect(values.count { $0 == -1 } == 1, "only one wait is ended")
      for operation in behind { _ = try await operation.value }
    }

    enum Last: CaseIterable { case operationAdded, barrierAdded, wait, dependency }

    @Test("Whatever closes the loop last, it is found", arguments: Last.allCases)
    func last(_ last: Last) async throws {
      let queues = [AsyncOperationQueue(), AsyncOperationQueue()]
      let (gate, go) = (AsyncOperation {}, Gate())
      let behind = [AsyncOperation { 1 }, AsyncOperation { 2 }]
      let between = AsyncOperation { 3 }
      try await between.addDependency(gate)
      if last != .dependency { try await between.addDependency(behind[1]) }
      let elsewhere = AsyncOperationQueue()
      await elsewhere.add(between)
      let ahead = [
        AsyncOperation { try await between.valueOrDeadlock() },
        AsyncOperation {
          if last == .wait { await go.wait() }
          return try await behind[0].valueOrDeadlock()
        },
      ]
      for number in 0..<2 {
        await queues[number].add(ahead[number])
        if last != .barrierAdded || number == 1 { await queues[number].addBarrier {} }
        if number == 1 || (last != .operationAdded && last != .barrierAdded) {
          await queues[number].add(behind[number])
        }
      }
      for (number, queue) in queues.enumerated() where last != .wait || number == 0 {
        #expect(await queue.becomesQuiescent(waiting: 1))
      }
      switch last {
      case .operationAdded: await queues[0].add(behind[0])
      case .barrierAdded:
        await queues[0].addBarrier {}
        await queues[0].add(behind[0])
      case .wait: go.open()
      case .dependency: try await between.addDependency(behind[1])
      }
      // While the gate is closed nothing else can end.
      #expect(await eventually { ahead.contains(where: \.isFinished) })
      try await gate.start()
      let values = [try await ahead[0].value, try await ahead[1].value]
      #expect(values.count { $0 == -1 } == 1)
      for operation in behind { _ = try await operation.value }
    }

    @Test("The closure of a barrier waits for a barrier of another queue, behind what waits for one behind the first")
    func closureAwaitsBarrier() async throws {
      let queues = [AsyncOperationQueue(), AsyncOperationQueue()]
      let (go, behind) = (Gate(), AsyncOperation { 42 })
      let ahead = AsyncOperation {
        await go.wait()
        return try await behind.valueOrDeadlock()
      }
      await queues[1].add(ahead)
      let second = await queues[1].addBarrier {}
      let ends = Locked<[Bool]>([])
      await queues[0].addBarrier {
        ends.append(await second.isLoopToAwait())
      }
      await queues[0].add(behind)
      #expect(await queues[0].becomesQuiescent(waiting: 1))
      go.open()
      let value = try await ahead.value
      #expect(try await behind.value == 42)
      for queue in queues { await queue.waitUntilAllOperationsAreFinished() }
      #expect((value == -1) != (ends.current == [true]), "only one wait is ended")
    }

    @Test("A ring of barriers, each of which depends on a later barrier of the next queue", arguments: 2...4)
    func ringOfBarriers(count: Int) async throws {
      let queues = (0..<count).map { _ in AsyncOperationQueue(isSuspended: true) }
      var barriers: [(first: AsyncOperation<Void>, second: AsyncOperation<Void>)] = []
      for queue in queues { barriers.append((await queue.addBarrier {}, await queue.addBarrier {})) }
      for number in 0..<count {
        try await barriers[number].first.addDependency(barriers[(number + 1) % count].second)
      }
      for queue in queues { await queue.resume() }
      for queue in queues { await queue.waitUntilAllOperationsAreFinished() }
    }

    @Test("Two barriers that depend on each other through a suspended queue do not change places until that resumes")
    func mutualBarriers() async throws {
      let (queue, other) = (AsyncOperationQueue(), AsyncOperationQueue(isSuspended: true))
      let recorder = Recorder<String>()
      let (ahead, behind) = (AsyncOperation { recorder.note("ahead") }, AsyncOperation { recorder.note("behind") })
      await other.add(ahead)
      await other.addBarrier { recorder.note("barrier") }
      await other.add(behind)
      await queue.suspend()
      for name in ["first", "second"] {
        let barrier = await queue.addBarrier { recorder.note(name) }
        try await barrier.addDependency(behind)
        try await ahead.addDependency(barrier)
      }
      await queue.resume()
      #expect(await other.becomesQuiescent())
      #expect(await queue.becomesQuiescent())
      await other.resume()
      for queue in [queue, other] { await queue.waitUntilAllOperationsAreFinished() }
      #expect(recorder.ended == ["behind", "first", "second", "ahead", "barrier"])
    }

    @Test("A cancelled barrier keeps its place, so it holds up who awaits it")
    func cancelledBarrier() async throws {
      let queues = [AsyncOperationQueue(), AsyncOperationQueue()]
      let behind = AsyncOperation { 42 }
      let ahead = AsyncOperation { try await behind.valueOrDeadlock() }
      await queues[1].add(ahead)
      let second = await queues[1].addBarrier {}
      second.cancel()
      let ends = Locked<[Bool]>([])
      await queues[0].add { ends.append(await second.isLoopToAwait()) }
      await queues[0].addBarrier {}
      await queues[0].add(behind)
      let value = try await ahead.value
      #expect(try await behind.value == 42)
      for queue in queues { await queue.waitUntilAllOperationsAreFinished() }
      #expect((value == -1) != (ends.current == [true]), "only one wait is ended")
    }

    @Test("So does one that is added to a quiescent queue, behind another barrier")
    func lateCancelledBarrier() async throws {
      let queues = [AsyncOperationQueue(), AsyncOperationQueue()]
      let (go, behind) = (Gate(), AsyncOperation { 42 })
      let ahead = await queues[1].add { try await behind.valueOrDeadlock() }
      await queues[1].addBarrier {}
      #expect(await queues[1].becomesQuiescent(waiting: 1))
      let second = await queues[1].addBarrier {}
      second.cancel()
      let ends = Locked<[Bool]>([])
      await queues[0].add {
        await go.wait()
        ends.append(await second.isLoopToAwait())
      }
      await queues[0].addBarrier {}
      await queues[0].add(behind)
      #expect(await queues[1].becomesQuiescent(waiting: 1))
      go.open()
      let value = try await ahead.value
      #expect(try await behind.value == 42)
      for queue in queues { await queue.waitUntilAllOperationsAreFinished() }
      #expect((value == -1) != (ends.current == [true]), "only one wait is ended")
    }

    @Test("A scope whose end what is in it keeps from coming, through barriers of other queues", arguments: 0...2)
    func scope(last: Int) async throws {
      let (queues, gates) = ((0..<2).map { _ in AsyncOperationQueue() }, (0..<3).map { _ in Gate() })
      for (number, gate) in gates.enumerated() where number != last { gate.open() }
      let behind = [AsyncOperation { 1 }, AsyncOperation { 2 }]
      let inScope = AsyncOperation {
        await gates[0].wait()
        return try await behind[1].valueOrDeadlock()
      }
      let opening = AsyncOperation {
        await gates[1].wait()
        try await withOperationQueue { await $0.add(inScope) }
      }
      let ahead = AsyncOperation {
        await gates[2].wait()
        return try await behind[0].valueOrDeadlock()
      }
      let first: [any OperationProtocol] = [opening, ahead]
      for (number, operation) in first.enumerated() {
        await queues[number].add(operation)
        await queues[number].addBarrier {}
        await queues[number].add(behind[number])
        if last == 2 - number || last == 0 { #expect(await queues[number].becomesQuiescent(waiting: 1)) }
      }
      gates[last].open()
      let values = [try await inScope.value, try await ahead.value]
      #expect(values.count { $0 == -1 } == 1, "only one wait is ended")
      for operation in [opening] + behind as [any OperationProtocol] {
        await operation.waitUntilFinished()
        #expect(operation.isFinished && !operation.isCancelled)
      }
    }

    @Test("A loop of dependencies alone is resolved: what is needed passes its barrier", arguments: 2...3)
    func dependencies(count: Int) async throws {
      let queues = (0..<count).map { _ in AsyncOperationQueue() }
      let recorder = Recorder<String>()
      let behind = (0..<count).map { number in AsyncOperation { recorder.note("behind \(number)") } }
      let ahead = (0..<count).map { number in AsyncOperation { recorder.note("ahead \(number)") } }
      for number in 0..<count { try await ahead[number].addDependency(behind[(number + 1) % count]) }
      for number in 0..<count {
        await queues[number].add(ahead[number])
        await queues[number].addBarrier { recorder.note("barrier \(number)") }
        await queues[number].add(behind[number])
      }
      for queue in queues { await queue.waitUntilAllOperationsAreFinished() }
      let ended = recorder.ended
      #expect(ended.count == 3 * count)
      let passed = (0..<count).filter { number in
        (ended.firstIndex(of: "behind \(number)") ?? 0) < (ended.firstIndex(of: "barrier \(number)") ?? 0)
      }
      #expect(passed.count == 1, "one is enough")
    }

    @Test("Once it goes on, a queue leaves nothing in the graph of its operations that have finished")
    func memory() async throws {
      let queue = AsyncOperationQueue()
      let elsewhere = AsyncOperation {}
      let gate = Gate()
      func run() async throws -> Weak {
        let ahead = AsyncOperation { await elsewhere.waitUntilFinished() }
        await queue.add(ahead)
        await queue.add(
          AsyncOperation {
            await elsewhere.waitUntilFinished()
            await gate.wait()
          })
        await queue.addBarrier {}
        #expect(await queue.becomesQuiescent(waiting: 2))
        #expect(await queue.state.trigger.mayHoldBeKnown)
        try await elsewhere.start()
        try await ahead.value
        return Weak(ahead.storage)
      }
      let storage = try await run()
      #expect(await eventually { storage.object == nil }, "though the barrier is still held up")
      gate.open()
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test(
      "A queue whose barrier is gone is told of no new edges, whether or not its operations ran",
      arguments: [true, false])
    func watch(runs: Bool) async throws {
      let queue = AsyncOperationQueue()
      var isWatching: Bool {
        DependencyGraph.withLock { state, _ in state.watchers.contains(ObjectIdentifier(queue)) }
      }
      let elsewhere = AsyncOperation {}
      let ahead = AsyncOperation {}
      try await ahead.addDependency(elsewhere)
      await queue.add(ahead)
      await queue.addBarrier {}
      #expect(await queue.becomesQuiescent())
      #expect(isWatching)

      // The operation behind the barrier keeps the queue busy.
      let gate = Gate()
      if runs {
        await queue.add(AsyncOperation { await gate.wait() })
        try await elsewhere.start()
        try await ahead.value
        #expect(await eventually { !isWatching })
      } else {
        await queue.cancelAllOperations()
        #expect(!isWatching, "no turn follows")
      }
      gate.open()
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test("The queue of a scope that a body has opened is told of no new edges once the scope has ended")
    func scope() async throws {
      let operation = AsyncOperation {
        let queue = try await withOperationQueue { queue in
          await queue.add(AsyncOperation {})
          return queue
        }
        #expect(!DependencyGraph.withLock { state, _ in state.watchers.contains(ObjectIdentifier(queue)) })
      }
      try await operation.start()
      try await operation.value
    }

    @Test("Where what is awaited passes the barrier there is no loop, however late its dependent comes")
    func passing() async throws {
      let queues = [AsyncOperationQueue(), AsyncOperationQueue()]
      let behind = [AsyncOperation { 1 }, AsyncOperation { 2 }]
      let ahead = [
        AsyncOperation { try await behind[1].valueOrDeadlock() },
        AsyncOperation { 4 },
      ]
      let gate = AsyncOperation {}
      try await ahead[1].addDependency(gate)
      for number in 0..<2 {
        await queues[number].add(ahead[number])
        await queues[number].addBarrier {}
        await queues[number].add(behind[number])
      }
      #expect(await queues[0].becomesQuiescent(waiting: 1))
      #expect(await queues[1].becomesQuiescent())
      try await ahead[1].addDependency(behind[1])
      #expect(try await ahead[0].value == 2)
      try await gate.start()
      #expect(try await ahead[1].value == 4)
      for queue in queues { await queue.waitUntilAllOperationsAreFinished() }
    }
  }
}

extension AsyncOperation<Void> {
  /// Waits for the end, within a body; whether that could never come.
  fileprivate nonisolated func isLoopToAwait() async -> Bool {
    do {
      try await value
    } catch OperationError.waitWouldDeadlock {
      return true
    } catch {}
    return false
  }
}
