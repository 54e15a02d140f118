import Testing
import TestSupport

@testable import StructuredOperations

@Suite("Storms of changes", .hangGuard)
struct StormTests {
  private static let threads = 4
  private static let count = 400

  @Test(
    "Priorities changed in a storm lose no operation and exceed no limit, and the last word counts", arguments: 0..<5)
  func priorities(seed: UInt64) async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 3)
    let recorder = Recorder<Int>()
    let operations = (0..<Self.count).map { number in
      AsyncOperation {
        recorder.begin(number)
        await Task.yield()
        recorder.end(number)
      }
    }
    await withTaskGroup { group in
      for thread in 0..<Self.threads {
        group.addTask {
          var random = SeededGenerator(seed: seed &* 100 &+ UInt64(thread))
          for _ in 0..<2_000 {
            guard let operation = operations.randomElement(using: &random),
              let priority = QueuePriority.allCases.randomElement(using: &random)
            else { return }
            await operation.setQueuePriority(priority)
          }
        }
      }
      group.addTask { for operation in operations { await queue.add(operation) } }
    }
    await queue.waitUntilAllOperationsAreFinished()

    #expect(recorder.ended.sorted() == Array(0..<Self.count))
    #expect(recorder.peak <= 3)
  }

  @Test("When a storm of priorities has passed, what waits is ordered by the last ones", arguments: 0..<5)
  func order(seed: UInt64) async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, isSuspended: true)
    let recorder = Recorder<Int>()
    let operations = (0..<Self.count).map { number in AsyncOperation { recorder.note(number) } }
    await queue.add(operations)
    await withTaskGroup { group in
      for thread in 0..<Self.threads {
        group.addTask {
          var random = SeededGenerator(seed: seed &* 100 &+ UInt64(thread))
          for _ in 0..<2_000 {
            guard let operation = operations.randomElement(using: &random),
              let priority = QueuePriority.allCases.randomElement(using: &random)
            else { return }
            await operation.setQueuePriority(priority)
          }
        }
      }
    }
    let levels = operations.map(\.queuePriority)
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()

    let ran = recorder.ended.map { levels[$0] }
    #expect(ran == ran.sorted(by: >))
    #expect(Set(recorder.ended).count == Self.count)
  }

  @Test("Of two threads that set a priority at once one has the last word, for the operation and for its queue")
  func lastWord() async {
    for _ in 0..<2_000 {
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1, isSuspended: true)
      let recorder = Recorder<Int>()
      let (one, other) = (AsyncOperation { recorder.note(1) }, AsyncOperation { recorder.note(2) })
      await queue.add(one, other)
      let arrivals = Locked(0)
      await withTaskGroup { group in
        for priority in [QueuePriority.high, .low] {
          group.addTask {
            arrivals.withLock { $0 += 1 }
            while arrivals.withLock({ $0 }) < 2 { await Task.yield() }
            await one.setQueuePriority(priority)
          }
        }
      }
      let isFirst = one.queuePriority > .normal
      await queue.resume()
      await queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.ended == (isFirst ? [1, 2] : [2, 1]))
    }
  }

  @Test("Cancelled at random from several threads, each operation ends once, run or not", arguments: 0..<5)
  func cancellations(seed: UInt64) async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 3)
    let runs = Locked<[Int: Int]>([:])
    let operations = (0..<Self.count).map { number in
      let body: @Sendable () async throws -> Void = {
        runs.withLock { $0[number, default: 0] += 1 }
        await Task.yield()
        try Task.checkCancellation()
      }
      return switch number % 3 {
      case 0: AsyncOperation(start: body)
      case 1: AsyncOperation<Void> { runs.withLock { $0[number, default: 0] += 1 } }
      default:
        AsyncOperation<Void> { completion in
          runs.withLock { $0[number, default: 0] += 1 }
          completion.onCancel { $0.finish(throwing: CancellationError()) }
          Task { completion.finish() }
        }
      }
    }
    for (number, operation) in operations.enumerated() where number.isMultiple(of: 5) && number > 0 {
      try await operation.addDependency(operations[number - 1], requiring: number % 2 == 0 ? .success : .completion)
    }
    await withTaskGroup { group in
      for thread in 0..<Self.threads {
        group.addTask {
          var random = SeededGenerator(seed: seed &* 100 &+ UInt64(thread))
          for _ in 0..<Self.count / 4 {
            operations.randomElement(using: &random)?.cancel()
            if random.oneIn(4) { await Task.yield() }
          }
        }
      }
      group.addTask {
        for operation in operations { await queue.add(operation) }
      }
    }
    await queue.waitUntilAllOperationsAreFinished()

    for (number, operation) in operations.enumerated() {
      let ran = runs.current[number] ?? 0
      #expect(operation.isFinished && ran <= 1, "\(number)")
      if operation.outcome?.isSuccess == true { #expect(ran == 1, "\(number)") }
      if !operation.isCancelled, operation.outcome?.error == nil { #expect(ran == 1, "\(number)") }
    }
    #expect(queue.snapshot.completedCount == Self.count)
    #expect(queue.snapshot.executingCount == 0)
  }
}
