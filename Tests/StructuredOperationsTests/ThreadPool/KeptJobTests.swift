import Synchronization
import TestSupport
import Testing

@testable import StructuredOperations

#if !os(WASI)
  /// A thread of a pool keeps a job that it enqueues, and then does not come back for it: it blocks, which here stands for
  /// a task that never rests on that thread.
  @Suite("Kept jobs", .hangGuard)
  struct KeptJobTests {
    /// Runs on a thread of the pool: enqueues a job there, and returns once the job has run elsewhere.
    private static func keepAndStay(on pool: OperationThreadPool) async {
      await Task(executorPreference: pool) { stay() }.value
    }

    private static func stay() {
      let done = Gate()
      Task(executorPreference: SynchronousBodyExecutor.shared) { done.open() }
      done.waitBlocking()
    }

    private static func isWatched(_ pool: OperationThreadPool) -> Bool { pool.isWatching.load(ordering: .relaxed) }

    @Test("The job of a thread that does not come back for it runs on another")
    func detained() async {
      let pool = OperationThreadPool()
      for _ in 0..<20 { await Self.keepAndStay(on: pool) }
    }

    @Test("A thread keeps no job for as long as a body runs on it, whatever bodies end within that")
    func bodyInBody() async {
      let isKept = await Task(executorPreference: OperationThreadPool()) { () -> Bool? in
        guard let thread = PoolThread.current else { return nil }
        return thread.runBody {
          thread.runBody {}
          Task(executorPreference: SynchronousBodyExecutor.shared) {}
          return thread.hasKeptJob
        }
      }.value
      #expect(isKept == false)
    }

    @Test("Many threads that do not come back at once lose no job")
    func manyDetained() async {
      let pool = OperationThreadPool()
      await withTaskGroup { group in
        for _ in 0..<64 { group.addTask { await Self.keepAndStay(on: pool) } }
      }
    }

    @Test("A monitor that sleeps, or is about to, comes to life for a kept job")
    func sleepingMonitor() async {
      let pool = OperationThreadPool()
      for round in 0..<10 {
        await Self.keepAndStay(on: pool)
        #expect(await eventually { !Self.isWatched(pool) }, "round \(round)")
      }
    }

    @Test("A thread keeps no job where there is no thread for a monitor")
    func noMonitor() async {
      let supply = ThreadSupply(of: 1)
      let pool = supply.pool()
      await Self.keepAndStay(on: pool)
      #expect(supply.refusals > 0)

      supply.add(2)
      await Self.keepAndStay(on: pool)
    }
  }
#endif
