import Testing

@testable import StructuredOperations

extension QueueSchedulerTests {
  @Suite("Choosing ahead")
  struct Hand {
    private typealias Scheduler = QueueScheduler<Int>

    /// One executes, four more are ready: 1 to 4, the last with high priority.
    private func scene() -> (Scheduler, ids: [Scheduler.EntryID]) {
      var scheduler = Scheduler(limit: 1, defaultLimit: 64)
      var ids = [scheduler.add(0, priority: .normal, standing: .ready)]
      _ = scheduler.startNext()
      for work in 1...4 { ids.append(scheduler.add(work, priority: work == 4 ? .high : .normal, standing: .ready)) }
      return (scheduler, ids)
    }

    @Test("What is dealt is what would be chosen, in that order, the next one last")
    func order() throws {
      var (scheduler, _) = scene()
      let hand = try #require(scheduler.deal(3) { _ in true })
      #expect(hand.cards.map(\.work) == [2, 1, 4])
      #expect(hand.last.priority == .normal)
      #expect(hand.last.rank == scheduler.rank(of: hand.cards[0].id))
    }

    @Test("A hand ends with the first one that is not wanted, which stays where it was")
    func unwanted() throws {
      var (scheduler, ids) = scene()
      let hand = try #require(scheduler.deal(10) { $0 != 2 })
      #expect(hand.cards.map(\.work) == [1, 4])
      for card in hand.cards { scheduler.putBackReady(card.id) }
      scheduler.finished(ids[0])
      #expect(choices(&scheduler) == [4, 1, 2, 3])
    }

    @Test("What is put back is chosen as before, among what was added meanwhile")
    func puttingBack() throws {
      var (scheduler, ids) = scene()
      let hand = try #require(scheduler.deal(10) { _ in true })
      #expect(scheduler.deal(10) { _ in true } == nil)
      _ = scheduler.add(5, priority: .high, standing: .ready)
      for card in hand.cards { scheduler.putBackReady(card.id) }
      scheduler.finished(ids[0])
      #expect(choices(&scheduler) == [4, 5, 1, 2, 3])
    }

    @Test("An exchange leaves the count of slots as it is, and ends what has finished")
    func exchange() throws {
      var (scheduler, ids) = scene()
      let hand = try #require(scheduler.deal(2) { _ in true })
      scheduler.exchanged(ids[0], for: ids[4])
      #expect(scheduler.executingCount == 1 && scheduler.executingOperationCount == 1)
      #expect(scheduler.entryCount == 4)
      scheduler.exchanged(ids[4], for: ids[1])
      #expect(hand.cards.map(\.id) == [ids[1], ids[4]])
      scheduler.finished(ids[1])
      #expect(choices(&scheduler) == [2, 3])
      #expect(scheduler.isEmpty)
    }

    @Test("The slot of one that finishes goes to one that has waited for it")
    func handingOver() {
      var scheduler = Scheduler(limit: 1, defaultLimit: 64)
      let first = scheduler.add(0, priority: .normal, standing: .ready)
      let second = scheduler.add(1, priority: .normal, standing: .pending)
      _ = scheduler.startNext()
      #expect(scheduler.isVacant)
      scheduler.exchanged(first, for: second)
      #expect(scheduler.executingCount == 1 && scheduler.executingOperationCount == 1)
      #expect(scheduler.entryCount == 1)
      #expect(!scheduler.isFrontPending)
      scheduler.finished(second)
      #expect(scheduler.isEmpty)
    }

    @Test("A slot is left to nobody where something is ready, behind a barrier, in suspension, or above the limit")
    func vacancy() {
      var scheduler = Scheduler(limit: 2, defaultLimit: 64)
      let ids = (0..<2).map { scheduler.add($0, priority: .normal, standing: .ready) }
      #expect(!scheduler.isVacant)
      while scheduler.startNext() != nil {}
      #expect(scheduler.isVacant)
      scheduler.suspend()
      #expect(!scheduler.isVacant)
      scheduler.resume()
      scheduler.setLimit(1)
      #expect(!scheduler.isVacant)
      scheduler.setLimit(2)
      scheduler.lend(ids[0])
      scheduler.returned(ids[0])
      #expect(!scheduler.isVacant)
      _ = scheduler.nextReturn()
      #expect(scheduler.isVacant)
      _ = scheduler.addBarrier(9, standing: .ready)
      #expect(!scheduler.isVacant)
    }

    @Test("Only a queue whose slots are all taken, by nobody who returns, leaves its slots to the next")
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
      scheduler.lend(ids[0])
      #expect(!scheduler.isFull)
      _ = scheduler.startNext()
      #expect(scheduler.isFull)
      scheduler.returned(ids[0])
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
