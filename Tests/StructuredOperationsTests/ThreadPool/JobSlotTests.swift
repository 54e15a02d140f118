import TestSupport
import Testing

@testable import StructuredOperations

#if !os(WASI)
  @Suite("JobSlot", .hangGuard)
  struct JobSlotTests {
    /// Collects what is enqueued for the test to run.
    private final class Collector: TaskExecutor {
      private let jobs = Locked<[UnownedJob]>([])

      func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }

      func job() -> UnownedJob? { jobs.withLock { $0.popLast() } }

      func run(_ job: UnownedJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// A slot that can be shared, and whose functions can be expected.
    private final class Shared: Sendable {
      private let slot = JobSlot()

      var isEmpty: Bool { slot.isEmpty }
      func put(_ job: UnownedJob) -> Bool { slot.put(job) }
      func take() -> UnownedJob? { slot.take() }
    }

    @Test("A slot has room for one job, and gives it out once")
    func oneJob() async throws {
      let collector = Collector()
      let task = Task(executorPreference: collector) { 1 }
      let job = try #require(collector.job())
      let slot = Shared()

      #expect(slot.isEmpty)
      #expect(slot.take() == nil)
      #expect(slot.put(job))
      #expect(!slot.isEmpty)
      #expect(!slot.put(job))
      let taken = try #require(slot.take())
      #expect(slot.isEmpty)
      #expect(slot.take() == nil)

      collector.run(taken)
      #expect(await task.value == 1)
    }

    @Test("Of several tasks that take at once one gets the job")
    func race() async throws {
      let collector = Collector()
      for _ in 0..<1_000 {
        let runs = Locked(0)
        let task = Task(executorPreference: collector) { runs.increment() }
        let job = try #require(collector.job())
        let slot = Shared()
        #expect(slot.put(job))
        let takers = Locked(0)
        await withTaskGroup { group in
          for _ in 0..<2 {
            group.addTask {
              takers.increment()
              while takers.current < 2 { await Task.yield() }
              if let job = slot.take() { collector.run(job) }
            }
          }
        }
        await task.value
        #expect(runs.current == 1)
      }
    }
  }
#endif
