import Testing

@testable import StructuredOperations

@Suite("GraphSearch")
struct GraphSearchTests {
  private let queue = FakeQueue()

  private func chain(_ names: String...) async throws -> [AsyncOperation<Void>] { try await chain(names) }

  private func chain(_ names: [String]) async throws -> [AsyncOperation<Void>] {
    let operations = names.map { AsyncOperation(name: $0) {} }
    for (one, next) in zip(operations, operations.dropFirst()) { try await one.addDependency(next) }
    return operations
  }

  /// The names of what leads from one operation to another.
  private func path(
    _ purpose: GraphSearch.Purpose,
    from start: AsyncOperation<Void>,
    to end: AsyncOperation<Void>,
    _ waits: WholeQueueWaits = WholeQueueWaits(),
    _ calls: BarrierCalls = BarrierCalls()
  ) -> [String?]? {
    DependencyGraph.withLock { _, releases in
      GraphSearch(for: purpose, wholeQueueWaits: waits, barrierCalls: calls)
        .path(from: start, to: end.storage, &releases)
    }?.map(\.name)
  }

  private static let purposes = [GraphSearch.Purpose.dependency, .wait]

  @Test("A path leads along dependencies, with its start and without its end", arguments: purposes)
  func dependencies(purpose: GraphSearch.Purpose) async throws {
    let operations = try await chain("a", "b", "c")
    try await operations[0].addDependency(AsyncOperation(name: "side") {})
    #expect(path(purpose, from: operations[0], to: operations[2]) == ["a", "b"])
    #expect(path(purpose, from: operations[1], to: operations[2]) == ["b"])
  }

  @Test("Nothing leads against the dependencies, or to an operation that nothing waits for", arguments: purposes)
  func nothing(purpose: GraphSearch.Purpose) async throws {
    let operations = try await chain("a", "b", "c")
    #expect(path(purpose, from: operations[2], to: operations[1]) == nil)
    #expect(path(purpose, from: operations[1], to: operations[0]) == nil)
    #expect(path(purpose, from: operations[0], to: AsyncOperation {}) == nil)
  }

  @Test("A cancelled operation counts for dependencies, and not for waits: it does not wait any more")
  func cancelled() async throws {
    let operations = try await chain("a", "b", "c", "d")
    operations[1].cancel()
    #expect(path(.dependency, from: operations[0], to: operations[3]) == ["a", "b", "c"])
    #expect(path(.wait, from: operations[0], to: operations[3]) == nil)
    #expect(path(.wait, from: operations[2], to: operations[3]) == ["c"])
  }

  @Test("A path that breaks while it is put together is searched anew, and never told without some of its steps")
  func broken() async throws {
    for round in 0..<200 {
      let operations = try await chain(Array(repeating: "", count: 200))
      async let path = path(.dependency, from: operations[0], to: operations[199])
      // A little later in each round, the operation leaves, and with it the way that leads through it.
      for _ in 0..<(20 * round) { _ = operations[0].state }
      let middle = operations[100]
      middle.cancel()
      try await middle.start()
      let count = await path?.count
      #expect(count == nil || count == 199)
    }
  }

  @Test("A barrier that a body waits for leads to what is ahead of it, from either end", arguments: purposes)
  func barrierCalls(purpose: GraphSearch.Purpose) async throws {
    // Long, so that the search from the near end is over before the other one comes to the barrier.
    let behind = try await chain("1", "2", "3", "4", "barrier")
    let ahead = try await chain("a", "b", "c", "d", "end")
    let (barrier, side) = (behind[4], AsyncOperation {})
    // What is ahead of a barrier is in a queue.
    _ = ahead[0].storage.enqueue(ahead[0], in: queue)
    defer { ahead[0].storage.withdraw() }
    var calls = BarrierCalls()
    calls.insert(barrier.storage, after: [side.storage, ahead[0].storage])
    let waits = WholeQueueWaits()
    #expect(path(purpose, from: barrier, to: ahead[4], waits, calls) == ["barrier", "a", "b", "c", "d"])
    #expect(path(purpose, from: behind[0], to: side, waits, calls) == ["1", "2", "3", "4", "barrier"])
    #expect(path(purpose, from: ahead[0], to: barrier, waits, calls) == nil)
    #expect(path(purpose, from: barrier, to: ahead[4]) == nil)
  }

  @Test(
    "A barrier that has begun, or is cancelled, leads nowhere, though its call is known still", arguments: purposes,
    [false, true])
  func barrierCallOver(purpose: GraphSearch.Purpose, isCancelled: Bool) async throws {
    let (barrier, ahead) = (AsyncOperation(name: "barrier") {}, AsyncOperation(name: "ahead") {})
    let dependent = AsyncOperation(name: "dependent") {}
    try await dependent.addDependency(barrier)
    _ = ahead.storage.enqueue(ahead, in: queue)
    defer { ahead.storage.withdraw() }
    var calls = BarrierCalls()
    calls.insert(barrier.storage, after: [ahead.storage])
    let end = AsyncOperation {}
    try await ahead.addDependency(end)
    #expect(path(purpose, from: dependent, to: end, WholeQueueWaits(), calls) == ["dependent", "barrier", "ahead"])

    if isCancelled { barrier.cancel() } else { _ = barrier.storage.apply { $0.start() } }

    #expect(path(purpose, from: dependent, to: end, WholeQueueWaits(), calls) == nil)
    if !isCancelled { barrier.storage.finishAlone(barrier.storage.publishFinish(), as: barrier) }
  }

  @Test("A dependency that has finished leads nowhere", arguments: purposes)
  func finished(purpose: GraphSearch.Purpose) async throws {
    let operations = try await chain("a", "b", "c")
    try await operations[2].start()
    #expect(path(purpose, from: operations[0], to: operations[2]) == nil)
    #expect(path(purpose, from: operations[0], to: operations[1]) == ["a"])
  }

  @Test("A dependent that finished without having run waits for nothing, though it is listed", arguments: purposes)
  func finishedDependent(purpose: GraphSearch.Purpose) async throws {
    let operations = try await chain("dependent", "awaited")
    let search = GraphSearch(for: purpose, wholeQueueWaits: WholeQueueWaits())
    func dependent() -> OperationStorage? {
      DependencyGraph.withLock { _, releases in
        search.predecessor(of: operations[1].storage, below: .max, &releases)?.node
      }
    }
    #expect(dependent() === operations[0].storage)
    operations[0].cancel()
    try await operations[0].start()
    #expect(dependent() == nil)
  }

  @Test("A path leads along waits of bodies, as long as they last", arguments: purposes)
  func waits(purpose: GraphSearch.Purpose) async throws {
    let operations = try await chain("a", "body")
    let awaited = AsyncOperation(name: "awaited") {}
    let context = try operations[1].begin(in: queue)
    let wait = context.wait(for: .operations([AsyncOperation {}, awaited]), in: queue)
    #expect(DependencyGraph.begin(wait) == nil)

    #expect(path(purpose, from: operations[0], to: awaited) == ["a", "body"])

    #expect(wait.end(.done))
    defer { wait.unregister() }
    #expect(path(purpose, from: operations[0], to: awaited) == nil)
    operations[1].finish()
  }

  @Test("A body that waits for everything in a queue leads to each operation in that queue", arguments: purposes)
  func wholeQueueWaits(purpose: GraphSearch.Purpose) async throws {
    let operations = try await chain("a", "body")
    let awaited = FakeQueue()
    let (inside, outside) = (AsyncOperation(name: "inside") {}, AsyncOperation(name: "outside") {})
    inside.enqueue(in: awaited)
    let context = try operations[1].begin(in: queue)
    let wait = context.wait(for: .all(of: awaited), in: queue)
    operations[1].storage.apply { $0.waitBegan(wait) }
    var waits = WholeQueueWaits()
    waits.insert(wait, for: awaited)

    #expect(path(purpose, from: operations[0], to: inside, waits) == ["a", "body"])
    #expect(path(purpose, from: operations[0], to: outside, waits) == nil)

    #expect(wait.end(.done))
    #expect(path(purpose, from: operations[0], to: inside, waits) == nil)
    operations[1].finish()
    inside.finish()
  }

  @Test(
    "A wait that is cancelled during the search hides nothing else that waits for the operation", arguments: 0..<3,
    0..<6)
  func cancelledMeanwhile(cancelled: Int, step: Int) async throws {
    let (awaited, dependent) = (AsyncOperation {}, AsyncOperation {})
    try await dependent.addDependency(awaited)
    let other = FakeQueue()
    awaited.enqueue(in: other)
    let bodies = [AsyncOperation {}, AsyncOperation {}, AsyncOperation {}, AsyncOperation {}]
    var waits = WholeQueueWaits()
    let all = try bodies.enumerated().map { index, body in
      let subject: BodyWait.Subject = index == 3 ? .all(of: other) : .operations([awaited])
      let wait = try body.begin(in: queue).wait(for: subject, in: queue)
      if index == 3 {
        body.storage.apply { $0.waitBegan(wait) }
        waits.insert(wait, for: other)
      } else {
        #expect(DependencyGraph.begin(wait) == nil)
      }
      return wait
    }

    let found = DependencyGraph.withLock { _, releases in
      let search = GraphSearch(for: .wait, wholeQueueWaits: waits)
      var (limit, count) = (Int.max, 0)
      var found: Set<OperationStorage> = []
      func cancelIfDue() { if count == step { all[cancelled].cancel() } }
      cancelIfDue()
      while limit > 0, let edge = search.predecessor(of: awaited.storage, below: limit, &releases) {
        if let node = edge.node { found.insert(node) }
        limit = edge.index
        count += 1
        cancelIfDue()
      }
      return found
    }

    let others = bodies.enumerated().filter { $0.offset != cancelled }.map(\.element.storage)
    #expect(found.isSuperset(of: others + [dependent.storage]))
    for wait in all where !wait.isOver {
      #expect(wait.end(.done))
      wait.unregister()
    }
    for operation in bodies + [awaited] { operation.finish() }
  }
}
