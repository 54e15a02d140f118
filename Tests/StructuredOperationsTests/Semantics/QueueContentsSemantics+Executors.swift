import Dispatch
import Testing
import TestSupport

@testable import StructuredOperations

extension QueueContentsSemantics {
  private static let key = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether the main actor runs the caller, which on Linux need not be on the process's first thread.
  private static func isMain() -> Bool { DispatchQueue.getSpecific(key: key) == true }

  /// Asked by a function, since an asynchronous one may not ask for its thread.
  private static func place() -> String {
    LabelledExecutor.currentLabel ?? (PoolThread.current != nil ? "pool" : "cooperative")
  }

  @Test("QI-10 Under a queue's executor everything runs there: bodies of every kind, barriers, completion blocks")
  func queueExecutor() async throws {
    let executor = LabelledExecutor("queue")
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 3, executor: executor)
    let places = Locked<[String]>([])
    @Sendable func note() { places.append(Self.place()) }
    let done = Gate()
    let last = AsyncOperation<Void> { completion in
      note()
      completion.finish()
    }
    await last.setCompletionBlock {
      note()
      await Task.yield()
      note()
      done.open()
    }
    let blocks = ExecutionBlocks { note() }
    try blocks.add {
      await Task.yield()
      note()
    }
    await queue.add { note() }
    await queue.add {
      note()
      await Task.yield()
      note()
    }
    await queue.add(AsyncOperation(blocks))
    await queue.addBarrier { note() }
    await queue.addBarrier {
      await Task.yield()
      note()
    }
    await queue.add(last)
    try await queue.run { note() }
    await done.wait()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(places.current.count == 11)
    #expect(Set(places.current) == ["queue"])
  }

  @Test("QI-10 A queue without an executor takes none over from where it is made")
  func noExecutor() async throws {
    let queue = await withTaskExecutorPreference(LabelledExecutor("maker")) { AsyncOperationQueue() }
    let main = await queue.add { Self.place() }
    let start = await queue.add {
      await Task.yield()
      return Self.place()
    }
    #expect(try await main.value == "pool")
    #expect(try await start.value == "cooperative")
  }

  @Test("QI-13 Bodies of every kind run on the main actor, one at a time")
  func bodies() async throws {
    let recorder = Recorder<Int>()
    let blocks = ExecutionBlocks { #expect(Self.isMain()) }
    var operations: [any OperationProtocol] = [AsyncOperation(blocks)]
    for number in 0..<50 {
      operations.append(
        AsyncOperation {
          recorder.begin(number)
          #expect(Self.isMain())
          MainActor.assumeIsolated { recorder.end(number) }
        })
      operations.append(
        AsyncOperation {
          recorder.begin(100 + number)
          #expect(Self.isMain())
          await Task.yield()
          #expect(Self.isMain())
          recorder.end(100 + number)
        })
    }
    await AsyncOperationQueue.main.addAndWait(operations)
    #expect(recorder.peak == 1)
    #expect(recorder.ended.count == 100)
  }
}
