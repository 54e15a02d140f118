import Testing
import TestSupport

@testable import StructuredOperations

@Suite("QC Limit", .hangGuard)
struct LimitSemantics {
  private func blockers(_ count: Int) -> [Blocker] { (0..<count).map { _ in Blocker() } }

  @Test("QC-01 The default lets 64 run")
  func defaultLimit() async {
    let queue = AsyncOperationQueue()
    let all = blockers(max(64, OperationThreadPool.coreCount) + 1)
    await queue.add(all.map(\.operation))
    for blocker in all.dropLast() { await blocker.begun.wait() }
    #expect(queue.snapshot.executingCount == all.count - 1)
    for blocker in all { blocker.release.open() }
    await queue.waitUntilAllOperationsAreFinished()
  }

  @Test("QC-01 The default is told as -1, from the beginning and when it is set again")
  func defaultNumber() async throws {
    let queue = AsyncOperationQueue()
    #expect(AsyncOperationQueue.defaultMaxConcurrentOperationCount == -1)
    #expect(queue.maxConcurrentOperationCount == -1)
    try await queue.setMaxConcurrentOperationCount(3)
    try await queue.setMaxConcurrentOperationCount(AsyncOperationQueue.defaultMaxConcurrentOperationCount)
    #expect(queue.maxConcurrentOperationCount == -1)
  }

  @Test("QC-02 0 starts nothing until it is raised")
  func zero() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 0)
    let operation = AsyncOperation {}
    await queue.add(operation)
    #expect(queue.snapshot.executingCount == 0)
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
    #expect(queue.maxConcurrentOperationCount == 2)
  }

  @Test("QC-03 A limit below -1 stops the program in an initialiser")
  func invalidLimit() async {
    await #expect(processExitsWith: .failure) { _ = AsyncOperationQueue(maxConcurrentOperationCount: -2) }
  }

  @Test("QC-04 A limit of any height is taken as it is", arguments: [65, 1_000_000, Int.max])
  func high(limit: Int) async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: limit)
    #expect(queue.maxConcurrentOperationCount == limit)
    try await queue.setMaxConcurrentOperationCount(1)
    try await queue.setMaxConcurrentOperationCount(limit)
    #expect(queue.maxConcurrentOperationCount == limit)
    let rendezvous = Rendezvous(of: 65)
    await queue.addAndWait((0..<65).map { _ in AsyncOperation { rendezvous.arriveBlocking() } })
  }

  @Test("QC-05, QC-06 A raise starts more at once; a reduction leaves those that run, and starts none until below")
  func live() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let all = blockers(8)
    await queue.add(all.map(\.operation))
    await all[0].begun.wait()
    #expect(queue.snapshot.executingCount == 1)
    try await queue.setMaxConcurrentOperationCount(4)
    for blocker in all.prefix(4) { await blocker.begun.wait() }
    try await queue.setMaxConcurrentOperationCount(2)
    #expect(queue.snapshot.executingCount == 4)
    for number in 0..<2 {
      all[number].release.open()
      await all[number].operation.waitUntilFinished()
    }
    #expect(queue.snapshot.executingCount == 2)
    #expect(all[4].operation.state == .ready)
    all[2].release.open()
    await all[4].begun.wait()
    #expect(queue.snapshot.executingCount == 2)
    try await queue.setMaxConcurrentOperationCount(-1)
    for blocker in all { await blocker.begun.wait() }
    for blocker in all { blocker.release.open() }
    await queue.waitUntilAllOperationsAreFinished()
  }

  @Test("QC-07 Blocks take no slots but the one of their operation")
  func slots() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let recorder = Recorder<Int>()
    for number in 0..<10 {
      let blocks = ExecutionBlocks { recorder.begin(number) }
      try blocks.add { await Task.yield() }
      let operation = AsyncOperation(blocks)
      await operation.setCompletionBlock(nil)
      await queue.add(operation)
      await queue.add { recorder.end(number) }
    }
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.peak == 1)
    #expect(recorder.ended == Array(0..<10))
  }

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

  @Test("QC-09 An executor that runs one job at a time runs one body at a time, whatever the limit")
  func serialExecutor() async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 8, executor: LabelledExecutor("serial"))
    let recorder = Recorder<Int>()
    for number in 0..<200 {
      await queue.add {
        recorder.begin(number)
        recorder.end(number)
      }
    }
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.peak == 1)
    #expect(recorder.ended.count == 200)
  }

  @Test("QC-10, QP-07 Its limit and its suspension cannot be changed")
  func settings() async throws {
    let queue = AsyncOperationQueue.main
    await #expect(throws: OperationError.invalidMaxConcurrentOperationCount(8)) {
      try await queue.setMaxConcurrentOperationCount(8)
    }
    #expect(queue.maxConcurrentOperationCount == 1)
    await queue.suspend()
    #expect(!queue.isSuspended)
    let operation = await queue.add { AsyncOperationQueue.current === AsyncOperationQueue.main }
    #expect(try await operation.value)
  }
}
