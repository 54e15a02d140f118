import Testing
import TestSupport

@testable import StructuredOperations

#if !os(WASI)
  @Suite("Threads that cannot be made", .hangGuard)
  struct ThreadFaultTests {
    @Test("Without a single thread bodies of every kind run on the cooperative pool", arguments: [1, 64])
    func noThread(limit: Int) async {
      let supply = ThreadSupply(of: 0)
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: limit, executor: supply.pool())
      let runs = Locked(0)
      for _ in 0..<100 {
        await queue.add { runs.increment() }
        await queue.add {
          await Task.yield()
          runs.increment()
        }
        await queue.add(
          AsyncOperation<Void> { completion in
            runs.increment()
            completion.finish()
          })
      }
      await queue.waitUntilAllOperationsAreFinished()

      #expect(runs.current == 300)
      #expect(supply.refusals > 0)
    }

    @Test("A single thread does the work of all that cannot be made, one body after another")
    func oneThread() async {
      let supply = ThreadSupply(of: 1)
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 64)
      let pool = supply.pool()
      let recorder = Recorder<Int>()
      await queue.add(
        (0..<1_000).map { number in
          AsyncOperation(executor: pool) {
            recorder.begin(number)
            recorder.end(number)
          }
        })
      await queue.waitUntilAllOperationsAreFinished()

      #expect(recorder.ended.count == 1_000)
      #expect(recorder.peak == 1)
      #expect(supply.refusals > 0)
    }

    @Test("What waits for a thread runs where another body gives its thread back")
    func workWaits() async {
      let supply = ThreadSupply(of: OperationThreadPool.coreCount)
      let pool = supply.pool()
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 64)
      let release = Gate()
      let blocking = (0..<OperationThreadPool.coreCount).map { _ in
        AsyncOperation(executor: pool) { release.waitBlocking() }
      }
      await queue.add(blocking)
      let runs = Locked(0)
      await queue.add((0..<100).map { _ in AsyncOperation(executor: pool) { runs.increment() } })
      #expect(await eventually { supply.refusals > 0 })
      release.open()
      await queue.waitUntilAllOperationsAreFinished()

      #expect(runs.current == 100)
    }

    // Each core has a thread before a monitor is asked for, which makes more: with so many it is the first that is
    // missing.
    @Test(
      "Where there are threads again the next body gets one, while others block for ever",
      arguments: Set([1, OperationThreadPool.coreCount]))
    func threadsAgain(threads: Int) async throws {
      let supply = ThreadSupply(of: threads)
      let pool = supply.pool()
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 64)
      let release = Gate()
      var blocking: [AsyncOperation<Void>] = []
      for _ in 0..<threads {
        let begun = Gate()
        blocking.append(
          await queue.add(executor: pool) {
            begun.open()
            release.waitBlocking()
          })
        await begun.wait()
      }
      let waiting = (0..<8).map { number in AsyncOperation(executor: pool) { number } }
      await queue.add(waiting)
      #expect(await eventually { supply.refusals >= 8 })
      #expect(waiting.allSatisfy { !$0.isFinished })
      supply.add(1_000)
      let last = AsyncOperation(executor: pool) { 8 }
      await queue.add(last)

      for (number, operation) in (waiting + [last]).enumerated() { #expect(try await operation.value == number) }
      #expect(blocking.allSatisfy { $0.isExecuting })
      release.open()
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test("A body whose thread was refused once gets one, while others block for ever and nothing else is added")
    func refusedOnce() async throws {
      let count = Locked(0)
      // The first thread is there, the second is refused, and from then on there are as many as one likes. With one core the
      // second is that of the monitor, without which there is nobody to ask again.
      let pool = OperationThreadPool { body in
        let number = count.withLock { count in
          count += 1
          return count
        }
        return (number != 2 || OperationThreadPool.coreCount == 1) && PlatformThread.start(body)
      }
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
      let (begun, release) = (Gate(), Gate())
      let blocking = await queue.add(executor: pool) {
        begun.open()
        release.waitBlocking()
      }
      await begun.wait()
      let waiting = await queue.add(executor: pool) { 1 }
      #expect(try await waiting.value == 1)
      #expect(blocking.isExecuting)
      release.open()
      await queue.waitUntilAllOperationsAreFinished()
    }

    @Test("Threads without a job are given back soon where there were too few, and others can have them")
    func threadsGivenBack() async {
      let count = OperationThreadPool.coreCount + 4
      // Taken by others: with a thread to be had again the pool has all that it asked for, and keeps them.
      let supply = ThreadSupply(of: count, isRenewed: false)
      let pool = supply.pool()
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 64)
      let release = Gate()
      await queue.add((0..<64).map { _ in AsyncOperation(executor: pool) { release.waitBlocking() } })
      #expect(await eventually { supply.refusals > 0 })
      release.open()
      await queue.waitUntilAllOperationsAreFinished()

      // Less than the five seconds that a thread waits for a job otherwise.
      #expect(await eventually(within: .seconds(4)) { supply.returned == count })
    }

    @Test("Threads without a job look for one again, and wait for a shorter time, where there was none for the monitor")
    func idleWithoutMonitor() {
      let pool = OperationThreadPool { _ in false }
      let thread = PoolThread(of: pool)
      // They hold each other.
      defer { pool.state.withLock { $0.idleThreads = [] } }
      pool.state.withLock { $0.idleThreads = [thread] }

      #expect(!pool.watchesKeptJobs())

      #expect(thread.parker.park(microseconds: 0))
      let (idleCount, idleTime) = pool.state.withLock { ($0.idleThreads.count, $0.growth.idleMicroseconds) }
      #expect(idleCount == 0 && idleTime < 1_000_000)

      // Or they would never end, where jobs are kept again and again.
      pool.state.withLock { $0.idleThreads = [thread] }
      #expect(!pool.watchesKeptJobs())
      #expect(!thread.parker.park(microseconds: 0))
    }

    @Test("Threads that can be made now and then lose no body")
    func nowAndThen() async {
      for seed in UInt64(0)..<20 {
        let random = Locked(SeededGenerator(seed: seed))
        let pool = OperationThreadPool { body in
          random.withLock { !$0.oneIn(2) } && PlatformThread.start(body)
        }
        let runs = Locked(0)
        await withTaskGroup { group in
          for _ in 0..<4 {
            group.addTask {
              let queue = AsyncOperationQueue(maxConcurrentOperationCount: 16, executor: pool)
              await queue.add((0..<50).map { _ in AsyncOperation { runs.increment() } })
              await queue.waitUntilAllOperationsAreFinished()
            }
          }
        }
        #expect(runs.current == 200, "seed \(seed)")
      }
    }
  }
#endif
