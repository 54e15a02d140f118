import Testing

@testable import StructuredOperations

extension AsyncOperationQueueTests {
  @Suite("Limits and suspension")
  struct Limits {
    /// Operations that all wait for the same gate, and a count of those that have begun.
    private func blockers(_ count: Int) -> [Blocker] { (0..<count).map { _ in Blocker() } }

    @Test("QC-08 No more than the limit run at a time, and as many do", arguments: [1, 2, 3, 8])
    func peak(limit: Int) async {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: limit)
      let recorder = Recorder<Int>()
      let rendezvous = Rendezvous(of: limit)
      for number in 0..<40 * limit {
        await queue.add {
          recorder.begin(number)
          if number < limit { rendezvous.arriveBlocking() }
          recorder.end(number)
        }
        await queue.add {
          recorder.begin(-1 - number)
          await Task.yield()
          recorder.end(-1 - number)
        }
      }
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.peak <= limit)
      #expect(recorder.ended.count == 80 * limit)
    }

    @Test("QC-01 The default lets 64 run")
    func defaultLimit() async {
      let queue = AsyncOperationQueue()
      let all = blockers(max(64, OperationThreadPool.coreCount) + 1)
      await queue.add(all.map(\.operation))
      for blocker in all.dropLast() { await blocker.begun.wait() }
      #expect(await queue.snapshot.executingCount == all.count - 1)
      for blocker in all { blocker.release.open() }
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test("QC-02 0 starts nothing until it is raised")
    func zero() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 0)
      let operation = AsyncOperation {}
      await queue.add(operation)
      #expect(await queue.snapshot.executingCount == 0)
      #expect(operation.state == .ready)
      try await queue.setMaxConcurrentOperationCount(1)
      await operation.waitUntilFinished()
    }

    @Test("QC-03 A limit below -1 is refused, and changes nothing")
    func invalid() async {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
      await #expect(throws: OperationError.invalidMaxConcurrentOperationCount(-2)) {
        try await queue.setMaxConcurrentOperationCount(-2)
      }
      #expect(await queue.maxConcurrentOperationCount == 2)
    }

    @Test("QC-05, QC-06 A raise starts more at once; a reduction leaves those that run, and starts none until below")
    func live() async throws {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let all = blockers(8)
      await queue.add(all.map(\.operation))
      await all[0].begun.wait()
      #expect(await queue.snapshot.executingCount == 1)
      try await queue.setMaxConcurrentOperationCount(4)
      for blocker in all.prefix(4) { await blocker.begun.wait() }
      try await queue.setMaxConcurrentOperationCount(2)
      #expect(await queue.snapshot.executingCount == 4)
      for number in 0..<2 {
        all[number].release.open()
        await all[number].operation.waitUntilFinished()
      }
      #expect(await queue.snapshot.executingCount == 2)
      #expect(all[4].operation.state == .ready)
      all[2].release.open()
      await all[4].begun.wait()
      #expect(await queue.snapshot.executingCount == 2)
      try await queue.setMaxConcurrentOperationCount(-1)
      for blocker in all { await blocker.begun.wait() }
      for blocker in all { blocker.release.open() }
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test("The limit changes at random under load, and its highest value is never exceeded")
    func changesUnderLoad() async throws {
      for seed in UInt64(0)..<10 {
        let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
        let recorder = Recorder<Int>()
        for number in 0..<300 {
          await queue.add {
            recorder.begin(number)
            await Task.yield()
            recorder.end(number)
          }
        }
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
          try await queue.setMaxConcurrentOperationCount(Int.random(in: 0...4, using: &random))
        }
        try await queue.setMaxConcurrentOperationCount(4)
        await queue.waitUntilAllOperationsAreFinished()
        #expect(recorder.peak <= 4, "seed \(seed)")
        #expect(recorder.ended.count == 300, "seed \(seed)")
      }
    }

    @Test("QP-02, QP-03 A suspended queue starts nothing, what runs goes on, and it resumes by rank")
    func suspension() async {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
      let recorder = Recorder<Int>()
      let blocker = Blocker()
      await queue.add(blocker.operation)
      await blocker.begun.wait()
      await queue.suspend()
      await queue.suspend()
      #expect(await queue.isSuspended)
      await queue.add(AsyncOperation(queuePriority: .low) { recorder.note(1) }, AsyncOperation { recorder.note(0) })
      blocker.release.open()
      await blocker.operation.waitUntilFinished()
      #expect(await queue.snapshot.executingCount == 0)
      #expect(recorder.begun.isEmpty)
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.begun == [0, 1], "QP-09")
    }

    @Test("QP-04 Not even what failed by a dependency leaves a suspended queue")
    func nothingLeaves() async throws {
      let queue = AsyncOperationQueue(isSuspended: true)
      let failed = AsyncOperation { throw Failure() }
      let operation = AsyncOperation {}
      try await operation.addDependency(failed, requiring: .success)
      await queue.add(operation)
      try await failed.start()
      #expect(await queue.operationCount == 1)
      #expect(operation.snapshot == OperationSnapshot(state: .ready, isCancelled: false))
      await queue.resume()
      await operation.waitUntilFinished()
    }

    @Test("Suspended and resumed at random under load, every operation runs")
    func suspensionUnderLoad() async {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 3)
      let runs = Locked(0)
      async let adding: Void = {
        for _ in 0..<1_000 { await queue.add { runs.increment() } }
      }()
      for _ in 0..<200 {
        await queue.suspend()
        await Task.yield()
        await queue.resume()
      }
      await adding
      await queue.waitUntilAllOperationsAreFinished()
      #expect(runs.current == 1_000)
    }
  }
}
