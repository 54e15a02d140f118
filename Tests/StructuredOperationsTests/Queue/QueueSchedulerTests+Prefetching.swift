import Testing

@testable import StructuredOperations

extension QueueSchedulerTests {
  @Suite("Prefetching")
  struct Prefetching {
    private typealias Scheduler = QueueScheduler<Int>

    /// One executes, four more are ready: 1 to 4, the last with high priority.
    private func scene() -> (Scheduler, ids: [Scheduler.EntryID]) {
      var scheduler = Scheduler(maxConcurrentOperationCount: 1, defaultWidth: 64)
      var ids = [scheduler.add(0, priority: .normal, readiness: .ready)]
      _ = scheduler.startNext()
      for work in 1...4 { ids.append(scheduler.add(work, priority: work == 4 ? .high : .normal, readiness: .ready)) }
      return (scheduler, ids)
    }

    @Test("What is prefetched is what would be chosen, in that order, the next one last")
    func order() throws {
      var (scheduler, _) = scene()
      let items = scheduler.prefetch(3) { _ in true }
      #expect(items.map(\.work) == [2, 1, 4])
      #expect(items.first?.position == QueuePosition(priority: .normal, rank: 2))
      #expect(items.last?.position == QueuePosition(priority: .high, rank: 4))
    }

    @Test("A batch ends at the first operation that is not wanted, which keeps its place")
    func unwanted() throws {
      var (scheduler, ids) = scene()
      let items = scheduler.prefetch(10) { $0 != 2 }
      #expect(items.map(\.work) == [1, 4])
      scheduler.takeBack([], items)
      scheduler.finished(ids[0])
      #expect(choices(&scheduler) == [4, 1, 2, 3])
    }

    @Test("What is put back is chosen as before, among what was added meanwhile")
    func puttingBack() throws {
      var (scheduler, ids) = scene()
      let items = scheduler.prefetch(10) { _ in true }
      #expect(!scheduler.hasReady() && scheduler.prefetch(10, while: { _ in true }).isEmpty)
      _ = scheduler.add(5, priority: .high, readiness: .ready)
      scheduler.takeBack([], items)
      scheduler.finished(ids[0])
      #expect(choices(&scheduler) == [4, 5, 1, 2, 3])
    }

    @Test("A replacement leaves the count of slots as it is, and ends what has finished")
    func replacement() throws {
      var (scheduler, ids) = scene()
      let items = scheduler.prefetch(2) { _ in true }
      scheduler.replaced(ids[0], by: ids[4])
      #expect(scheduler.executingCount == 1 && scheduler.executingOperationCount == 1)
      #expect(scheduler.entryCount == 4)
      scheduler.replaced(ids[4], by: ids[1])
      #expect(items.map(\.id) == [ids[1], ids[4]])
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
      scheduler.setMaxConcurrentOperationCount(2)
      #expect(!scheduler.isFull)
      scheduler.setMaxConcurrentOperationCount(0)
      #expect(!scheduler.isFull)
      scheduler.setMaxConcurrentOperationCount(1)
      scheduler.releaseSlot(ids[0])
      #expect(!scheduler.isFull)
      _ = scheduler.startNext()
      #expect(scheduler.isFull)
      scheduler.requestSlot(ids[0])
      #expect(!scheduler.isFull)
    }

    @Test(
      "What has become ready since, and has a slot, executes, and what has joined and not begun is ready",
      arguments: [false, true])
    func joined(wasReady: Bool) throws {
      var scheduler = Scheduler(maxConcurrentOperationCount: 1, defaultWidth: 64)
      let ids = (0..<5).map { scheduler.add($0, priority: .normal, readiness: $0 == 0 ? .ready : .blocked) }
      if wasReady {
        // Their items stay among the ready ones.
        for id in ids[1...] { scheduler.update(id, to: .ready) }
        for id in ids[1...] { scheduler.update(id, to: .blocked) }
      }
      _ = scheduler.startNext()
      #expect(scheduler.mayBecomeReady && scheduler.segments[0].blocked == 4)
      // The last one was said to be skipped, and is not any more.
      scheduler.update(ids[4], to: .skipped)
      let items = [3, 2].map { id in
        PrefetchedItem(id: ids[id], work: id, position: QueuePosition(priority: .normal, rank: id), hasJoined: true)
      }

      scheduler.takeBack(
        [
          PrefetchedReplacement(finished: ids[0], started: ids[1], hasJoined: true),
          PrefetchedReplacement(finished: ids[1], started: ids[4], hasJoined: true),
        ], items)

      #expect(scheduler.executingCount == 1 && scheduler.entryCount == 3)
      #expect(scheduler.entries[ids[4]]?.phase == .executing)
      #expect(!scheduler.mayBecomeReady && scheduler.segments[0].blocked == 0)
      scheduler.finished(ids[4])
      #expect(choices(&scheduler) == [2, 3])
      #expect(scheduler.isEmpty)
    }

    @Test("Those that lack a limit stand in line instead of being chosen ahead")
    func standing() {
      var scheduler = Scheduler(maxConcurrentOperationCount: 1, defaultWidth: 64)
      let ids = (0..<10).map { scheduler.add($0, priority: .normal, readiness: .ready) }
      _ = scheduler.startNext()
      var asked: [Int] = []
      let items = scheduler.prefetch(3) { id, work in
        #expect(id == ids[work])
        asked.append(work)
        return work.isMultiple(of: 2)
      } while: { _ in
        true
      }
      #expect(items.map(\.work) == [5, 3, 1] && asked == [1, 2, 3, 4, 5])
      #expect([2, 4].allSatisfy { scheduler.isInLine(ids[$0]) } && !scheduler.isInLine(ids[6]))
      #expect(scheduler.executingCount == 1 && scheduler.entryCount == 10)
      let inLine = scheduler.prefetchInLine(8) { $0 }
      #expect(inLine.map(\.work) == [4, 2])

      scheduler.takeBack(
        [PrefetchedReplacement(finished: ids[0], started: ids[2], wasInLine: true)], items, inLine: [inLine[0]])
      scheduler.finished(ids[2])
      #expect(choices(&scheduler) == [1, 3, 5, 6, 7, 8, 9])
      #expect(scheduler.entryCount == 1 && scheduler.isInLine(ids[4]))
      scheduler.leaveLine(ids[4])
      #expect(choices(&scheduler) == [4])
    }

    @Test("No more stand in line at once than would be chosen ahead")
    func standingAtMost() {
      var scheduler = Scheduler(maxConcurrentOperationCount: 1, defaultWidth: 64)
      let ids = (0..<10).map { scheduler.add($0, priority: .normal, readiness: .ready) }
      _ = scheduler.startNext()
      let items = scheduler.prefetch(3, unless: { _, _ in true }, while: { _ in true })
      #expect(items.map(\.work) == [6, 5, 4])
      #expect(ids.filter { scheduler.isInLine($0) } == Array(ids[1...3]))
    }

    @Test("The slot of one that has finished and was not replaced is free")
    func notReplaced() {
      var scheduler = Scheduler(maxConcurrentOperationCount: 3, defaultWidth: 64)
      let ids = (0..<3).map { scheduler.add($0, priority: .normal, readiness: $0 == 2 ? .blocked : .ready) }
      for _ in 0..<2 { _ = scheduler.startNext() }
      #expect(scheduler.freeSlotCount == 1)

      scheduler.takeBack(
        [
          PrefetchedReplacement(finished: ids[0], started: ids[2], hasJoined: true),
          PrefetchedReplacement(finished: ids[2]),
        ], [])

      #expect(scheduler.executingCount == 1 && scheduler.entryCount == 1 && scheduler.freeSlotCount == 2)
      #expect(scheduler.entries[ids[2]] == nil)
    }

    @Test("Operations may become ready where some are blocked and no barrier decides besides")
    func mayBecomeReady() {
      var scheduler = Scheduler(maxConcurrentOperationCount: 1, defaultWidth: 64)
      #expect(!scheduler.mayBecomeReady)
      _ = scheduler.add(0, priority: .normal, readiness: .blocked)
      #expect(scheduler.mayBecomeReady)
      _ = scheduler.addBarrier(1, readiness: .ready)
      #expect(!scheduler.mayBecomeReady)
    }

    @Test("Spare slots are free ones that nobody asks for, in a queue that runs something and may start something")
    func spareSlots() {
      var (scheduler, ids) = scene()
      #expect(!scheduler.hasSpareSlots)
      scheduler.setMaxConcurrentOperationCount(2)
      #expect(scheduler.hasSpareSlots)
      scheduler.startsAreHeld = true
      #expect(!scheduler.hasSpareSlots)
      scheduler.startsAreHeld = false
      scheduler.suspend()
      #expect(!scheduler.hasSpareSlots)
      scheduler.resume()
      _ = scheduler.startNext()
      scheduler.releaseSlot(ids[0])
      #expect(scheduler.hasSpareSlots)
      scheduler.requestSlot(ids[0])
      #expect(!scheduler.hasSpareSlots)
      var idle = Scheduler(maxConcurrentOperationCount: 1, defaultWidth: 64)
      _ = idle.add(0, priority: .normal, readiness: .blocked)
      #expect(!idle.hasSpareSlots)
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
