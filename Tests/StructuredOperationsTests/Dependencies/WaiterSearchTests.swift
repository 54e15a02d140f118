import Testing

@testable import StructuredOperations

@Suite("WaiterSearch")
struct WaiterSearchTests {
  private let queues = [FakeQueue(), FakeQueue()]

  /// What a search follows.
  private struct Graph {
    var waits = WholeQueueWaits()
    var holds = BarrierHolds()

    var search: WaiterSearch {
      WaiterSearch(wholeQueueWaits: waits, barrierCalls: BarrierCalls(), barrierHolds: holds)
    }

    /// What waits for some operations.
    func waiting(for operations: AsyncOperation<Void>..., isPlain: Bool = false) -> Set<OperationStorage> {
      DependencyGraph.withLock { _, releases in
        let storages = operations.map(\.storage)
        let waiting = search.waiting(for: storages, isPlain: isPlain, &releases)
        return Set(waiting.nodes).subtracting(storages)
      }
    }

    /// A queue has become quiescent.
    mutating func leave(
      _ queue: FakeQueue,
      ahead: [AsyncOperation<Void>],
      behind: [AsyncOperation<Void>]? = nil,
      passing: [AsyncOperation<Void>] = []
    ) {
      let hold = BarrierHolds.Hold(
        ahead: ahead.map(\.storage), needs: StallAnalysis.Needs((ahead + passing).map(\.storage)),
        behind: behind?.map(\.storage), barriers: behind?.prefix(1).map(\.storage) ?? [],
        passing: passing.map(\.storage), wholeQueueWaits: waits[ObjectIdentifier(queue)])
      holds.insert(hold, of: ObjectIdentifier(queue))
    }

    func queuesToTell(otherThan queue: FakeQueue) -> [ObjectIdentifier] {
      DependencyGraph.withLock { _, releases in
        search.queuesWithOnlyWaitersLeft(otherThan: queue, &releases).map { ObjectIdentifier($0) }
      }
    }
  }

  private func named(_ names: String..., in queue: Int) -> [AsyncOperation<Void>] {
    names.map { name in
      let operation = AsyncOperation(name: name) {}
      operation.enqueue(in: queues[queue])
      return operation
    }
  }

  /// Begins the wait of an operation's body for a queue, or for the end of its scope.
  private func wait(
    of operation: AsyncOperation<Void>,
    in queue: Int,
    for awaited: Int,
    isForScope: Bool = false,
    _ graph: inout Graph
  ) throws -> BodyWait {
    let subject: BodyWait.Subject = isForScope ? .scope(of: queues[awaited]) : .all(of: queues[awaited])
    let wait = try operation.begin(in: queues[queue]).wait(for: subject, in: queues[queue])
    operation.storage.apply { $0.waitBegan(wait) }
    graph.waits.insert(wait, for: queues[awaited])
    return wait
  }

  private func end(_ waits: [BodyWait], _ operations: [AsyncOperation<Void>]) {
    for wait in waits {
      _ = wait.end(.done)
      wait.operation.storage.finishAlone(wait.operation.storage.publishFinish(), as: wait.operation)
    }
    for operation in operations { operation.finish() }
  }

  @Test("A body that waits for all in a queue waits for each operation there, once it is known what is left there")
  func all() throws {
    var graph = Graph()
    let body = AsyncOperation {}
    let inside = named("inside", in: 1)
    let wait = try wait(of: body, in: 0, for: 1, &graph)
    #expect(graph.waiting(for: inside[0]) == [], "it has something to do")
    graph.leave(queues[1], ahead: inside)
    #expect(graph.waiting(for: inside[0]) == [body.storage])
    #expect(graph.waiting(for: inside[0], isPlain: true) == [])
    #expect(wait.end(.done))
    #expect(graph.waiting(for: inside[0]) == [])
    end([wait], inside)
  }

  @Test("It does not wait for what waits for it, be that by dependencies or behind a barrier")
  func waiters() async throws {
    var graph = Graph()
    let body = AsyncOperation {}
    let inside = named("running", "dependent", "barrier", "behind", in: 1)
    let between = AsyncOperation {}
    let wait = try wait(of: body, in: 1, for: 1, &graph)
    try await between.addDependency(body)
    try await inside[1].addDependency(between)
    graph.leave(queues[1], ahead: [body] + inside[0...1], behind: Array(inside[2...3]))
    #expect(graph.waiting(for: inside[1]) == Set([inside[2], inside[3]].map(\.storage)))
    #expect(graph.waiting(for: inside[2]) == [] && graph.waiting(for: inside[3]) == [])
    #expect(graph.waiting(for: inside[0]) == Set([body, between, inside[1], inside[2], inside[3]].map(\.storage)))
    #expect(graph.waiting(for: inside[3], inside[0]).contains(body.storage), "whatever is followed first")
    end([wait], inside)
  }

  @Test("A body that waits for the end of a scope waits for each operation there, if that scope is not excepted")
  func scopes() throws {
    var graph = Graph()
    let body = AsyncOperation {}
    let inside = named("inside", in: 1)
    let wait = try wait(of: body, in: 0, for: 1, isForScope: true, &graph)
    #expect(graph.waiting(for: inside[0]) == [body.storage])
    #expect(graph.waiting(for: inside[0], isPlain: true) == [body.storage])
    var search = graph.search
    search.exceptedScope = ObjectIdentifier(queues[1])
    DependencyGraph.withLock { _, releases in
      #expect(search.waiting(for: [inside[0].storage], isPlain: true, &releases).nodes == [inside[0].storage])
    }
    #expect(wait.end(.done))
    #expect(graph.waiting(for: inside[0]) == [])
    end([wait], inside)
  }

  @Test("Of bodies that wait for all in each other's queue only waiters are left, once both queues have nothing to do")
  func eachOther() throws {
    var graph = Graph()
    let bodies = [AsyncOperation {}, AsyncOperation {}]
    let waits = [try wait(of: bodies[0], in: 0, for: 1, &graph), try wait(of: bodies[1], in: 1, for: 0, &graph)]
    graph.leave(queues[0], ahead: [bodies[0]])
    #expect(graph.queuesToTell(otherThan: queues[1]) == [])
    graph.leave(queues[1], ahead: [bodies[1]])
    #expect(graph.queuesToTell(otherThan: queues[1]) == [ObjectIdentifier(queues[0])])
    #expect(graph.queuesToTell(otherThan: queues[0]) == [ObjectIdentifier(queues[1])])
    #expect(waits[1].end(.done))
    #expect(graph.queuesToTell(otherThan: queues[1]) == [], "nobody waits for it now")
    end(waits, [])
  }

  @Test("A queue in which something is left that waits for nobody has nothing to end, be it about to pass a barrier")
  func left() async throws {
    var graph = Graph()
    let body = AsyncOperation {}
    let inside = named("dependent", "other", "barrier", in: 1)
    try await inside[0].addDependency(body)
    let wait = try wait(of: body, in: 0, for: 1, &graph)
    func isTold() -> Bool { graph.queuesToTell(otherThan: queues[0]) == [ObjectIdentifier(queues[1])] }
    graph.leave(queues[1], ahead: [inside[0]], behind: [inside[2]])
    #expect(isTold())
    graph.leave(queues[1], ahead: [inside[0]], behind: [inside[2]], passing: [inside[1]])
    #expect(!isTold())
    graph.leave(queues[1], ahead: Array(inside[0...1]), behind: [inside[2]])
    #expect(!isTold())
    try await inside[1].addDependency(inside[2])
    #expect(isTold(), "it waits for what is behind the barrier")
    end([wait], inside)
  }

  @Test("A cancelled barrier is held up as others are, so it waits for the body")
  func cancelledBarrier() async throws {
    var graph = Graph()
    let body = AsyncOperation {}
    let elsewhere = named("ahead", "barrier", in: 0)
    let inside = named("dependent", in: 1)
    try await elsewhere[0].addDependency(body)
    try await inside[0].addDependency(elsewhere[1])
    let wait = try wait(of: body, in: 0, for: 1, &graph)
    elsewhere[1].cancel()
    graph.leave(queues[0], ahead: [elsewhere[0]], behind: [elsewhere[1]])
    graph.leave(queues[1], ahead: inside)
    #expect(graph.queuesToTell(otherThan: queues[0]) == [ObjectIdentifier(queues[1])])
    end([wait], elsewhere + inside)
  }

  @Test("What is added to a queue without barriers that has left what is in it is left there, too")
  func added() async throws {
    var graph = Graph()
    let body = AsyncOperation {}
    let inside = named("dependent", "added", in: 1)
    try await inside[0].addDependency(body)
    let wait = try wait(of: body, in: 0, for: 1, &graph)
    graph.leave(queues[1], ahead: [inside[0]])
    #expect(graph.queuesToTell(otherThan: queues[0]) == [ObjectIdentifier(queues[1])])
    let isKnown = graph.holds.add(inside[1].storage, isBarrier: false, to: ObjectIdentifier(queues[1]))
    #expect(isKnown && graph.queuesToTell(otherThan: queues[0]) == [])
    #expect(!graph.holds.isHeld(inside[1].storage))
    end([wait], inside)
  }
}
