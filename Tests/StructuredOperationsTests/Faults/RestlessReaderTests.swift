import TestSupport
import Testing

@testable import StructuredOperations

#if os(Linux)
  /// A task that never suspends holds a thread of the cooperative pool for good.
  ///
  /// So each of these has a process of its own, and there have to be two such threads.
  @Suite("Tasks that never rest", .hangGuard, .serialized, .enabled(if: OperationThreadPool.coreCount > 1))
  struct RestlessReaderTests {
    @Test("One that asks two queues for their operations holds up neither bodies nor barriers")
    func reader() async {
      await #expect(processExitsWith: .success) {
        HangGuard.watch("One that asks two queues for their operations holds up neither bodies nor barriers")
        await runBodiesAndBarriers { queues in
          for queue in queues { _ = await queue.operations }
        }
      }
    }

    @Test("One that has two queues take turns all the time holds up neither bodies nor barriers")
    func turns() async {
      await #expect(processExitsWith: .success) {
        HangGuard.watch("One that has two queues take turns all the time holds up neither bodies nor barriers")
        await runBodiesAndBarriers { queues in
          for queue in queues { await queue.resume() }
        }
      }
    }
  }

  /// Runs synchronous bodies and barriers in two queues, while a task keeps doing something else to them.
  private func runBodiesAndBarriers(while restless: @escaping @Sendable ([AsyncOperationQueue]) async -> Void) async {
    let queues = (0..<2).map { _ in AsyncOperationQueue(maxConcurrentOperationCount: 4) }
    let task = Task {
      while !Task.isCancelled { await restless(queues) }
    }
    let runs = Locked(0)
    for _ in 0..<2_000 {
      for queue in queues {
        await queue.add((0..<4).map { _ in AsyncOperation(main: { runs.increment() }) })
        await queue.addBarrier {}
      }
    }
    for queue in queues { await queue.waitUntilAllOperationsAreFinished() }
    task.cancel()
    await task.value

    #expect(runs.current == 16_000)
  }
#endif
