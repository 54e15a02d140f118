import Testing

@testable import StructuredOperations

extension QueueSchedulerTests {
  @Suite("Prefetching")
  struct Prefetching {
    private typealias Scheduler = QueueScheduler<Int>

    /// One executes, four more are ready: 1 to 4, the last with high priority.
    private func scene() -> (Scheduler, ids: [Scheduler.EntryID]) {
      var scheduler = Scheduler(limit: 1, defaultLimit: 64)
      var ids = [scheduler.add(0, priority: .normal, readiness: .ready)]
      _ = scheduler.startNext()
      for work in 1...4 { ids.append(scheduler.add(work, priority: work == 4 ? .high : .normal, readiness: .ready)) }
      return (scheduler, ids)
    }

    @Test("What is prefetched is what would be chosen, in that order, the next one last")
    func order() throws {
      var (scheduler, _) = scene()
      let batch = try #require(scheduler.prefetch(3) { _ in true })
      #expect(batch.items.map(\.work) == [2, 1, 4])
      #expect(batch.last == QueuePosition(priority: .normal, rank: 2))
    }

    @Test("A batch ends at the first operation that is not wanted, which keeps its place")
    func unwanted() throws {
      var (scheduler, ids) = scene()
      let batch = try #require(scheduler.prefetch(10) { $0 != 2 })
      #expect(batch.items.map(\.work) == [1, 4])
      for item in batch.items { scheduler.putBackReady(item.id) }
      scheduler.finished(ids[0])
      #expect(choices(&scheduler) == [4, 1, 2, 3])
    }

    @Test("What is put back is chosen as before, among what was added meanwhile")
    func puttingBack() throws {
      var (scheduler, ids) = scene()
      let batch = try #require(scheduler.prefetch(10) { _ in true })
      #expect(scheduler.prefetch(10) { _ in true } == nil)
      _ = scheduler.add(5, priority: .high, readiness: .ready)
      for item in batch.items { scheduler.putBackReady(item.id) }
      scheduler.finished(ids[0])
      #expect(choices(&scheduler) == [4, 5, 1, 2, 3])
    }

    @Test("A replacement leaves the count of slots as it is, and ends what has finished")
    func replacement() throws {
      var (scheduler, ids) = scene()
      let batch = try #require(scheduler.prefetch(2) { _ in true })
      scheduler.replaced(ids[0], by: ids[4])
      #expect(scheduler.executingCount == 1 && scheduler.executingOperationCount == 1)
      #expect(scheduler.entryCount == 4)
      scheduler.replaced(ids[4], by: ids[1])
      #expect(batch.items.map(\.id) == [ids[1], ids[4]])
      scheduler.finished(ids[1])
      #expect(choices(&scheduler) == [2, 3])
      #expect(scheduler.isEmpty)
    }

    @Test("Only where all slots are taken and nobody requests one does a finished operation leave its slot to the next")
    func full() {
      var (scheduler, ids) = scene()
      #expect(scheduler.isFull)
      scheduler.suspend()
      #expect(!scheduler.isFull)
      scheduler.resume()
      scheduler.setLimit(2)
      #expect(!scheduler.isFull)
      scheduler.setLimit(0)
      #expect(!scheduler.isFull)
      scheduler.setLimit(1)
      scheduler.releaseSlot(ids[0])
      #expect(!scheduler.isFull)
      _ = scheduler.startNext()
      #expect(scheduler.isFull)
      scheduler.requestSlot(ids[0])
      #expect(!scheduler.isFull)
    }

    /// What is chosen one after the other, each of which ends at once.
    private func choices(_ scheduler: inout Scheduler) -> [Int] {
      var works: [Int] = []
      while let (id, work) = scheduler.startNext() {
        works.append(work)
        scheduler.finished(id)
      }
      return works
    }
  }
}
