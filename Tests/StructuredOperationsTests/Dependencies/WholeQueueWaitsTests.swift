import Testing

@testable import StructuredOperations

@Suite("WholeQueueWaits")
struct WholeQueueWaitsTests {
  private let queues = [FakeQueue(), FakeQueue()]

  private func makeWait(for queue: FakeQueue? = nil) throws -> BodyWait {
    let context = ExecutionContext(operation: AsyncOperation {}, task: try #require(BodyTask.current))
    return BodyWait(of: context, for: .all(of: queue ?? queues[0]))
  }

  private func waits(_ waits: WholeQueueWaits, for queue: FakeQueue) -> [ObjectIdentifier] {
    waits[ObjectIdentifier(queue)].map { ObjectIdentifier($0) }
  }

  @Test("Waits are listed by queue, in the order in which they began")
  func listing() throws {
    var all = WholeQueueWaits()
    #expect(all.isEmpty)
    let (one, two, other) = (try makeWait(), try makeWait(), try makeWait())

    all.insert(one, for: queues[0])
    all.insert(other, for: queues[1])
    all.insert(two, for: queues[0])

    #expect(!all.isEmpty)
    #expect(waits(all, for: queues[0]) == [ObjectIdentifier(one), ObjectIdentifier(two)])
    #expect(waits(all, for: queues[1]) == [ObjectIdentifier(other)])
    #expect(waits(all, for: FakeQueue()) == [])
  }

  @Test("With the last wait that is removed the list is empty; removing an unknown one has no effect")
  func removing() throws {
    var all = WholeQueueWaits()
    let (one, two) = (try makeWait(), try makeWait())
    all.insert(one, for: queues[0])
    all.insert(two, for: queues[0])

    all.remove(one, for: queues[1])
    #expect(waits(all, for: queues[0]).count == 2)
    all.remove(one, for: queues[0])
    all.remove(one, for: queues[0])
    #expect(waits(all, for: queues[0]) == [ObjectIdentifier(two)])
    all.remove(two, for: queues[0])

    #expect(all.isEmpty)
  }

  @Test("The queues are told in the order in which the waits for them began")
  func order() throws {
    var all = WholeQueueWaits()
    let queues = (0..<20).map { _ in FakeQueue() }
    let waits = try queues.map { try makeWait(for: $0) }
    for (queue, wait) in zip(queues, waits) { all.insert(wait, for: queue) }
    for queue in queues { all.insert(try makeWait(for: queue), for: queue) }
    #expect(all.queues.map { ObjectIdentifier($0) } == queues.map { ObjectIdentifier($0) })

    all.remove(waits[0], for: queues[0])
    #expect(all.queues.first === queues[0], "another wait for it is left")
    for wait in all[ObjectIdentifier(queues[0])] { all.remove(wait, for: queues[0]) }
    all.insert(waits[0], for: queues[0])
    #expect(all.queues.first === queues[1] && all.queues.last === queues[0])
  }

  @Test("The queues that are waited for are known, and whether the wait is for the end of the scope of another one")
  func queuesAndScopes() throws {
    var all = WholeQueueWaits()
    #expect(all.queues.isEmpty)
    all.insert(try makeWait(), for: queues[0])
    all.insert(try makeWait(), for: queues[0])
    #expect(all.queues.count == 1 && all.queues[0] === queues[0])
    #expect(!all.hasScope(otherThan: queues[1]))

    let scope = BodyWait(
      of: ExecutionContext(operation: AsyncOperation {}, task: try #require(BodyTask.current)),
      for: .scope(of: queues[0]))
    all.insert(scope, for: queues[0])

    #expect(all.hasScope(otherThan: queues[1]) && !all.hasScope(otherThan: queues[0]))
  }
}
