import Testing

@testable import StructuredOperations

@Suite("StateSequence", .hangGuard)
struct StateSequenceTests {
  @Test("KV-01 A plain run is told as ready, executing, finished")
  func plainRun() async throws {
    let operation = AsyncOperation {}
    let history = operation.history()
    try await operation.start()
    #expect(await history.value.map(short) == ["ready", "executing", "finished"])
  }

  @Test("KV-03 A dependency is finished when its dependent is told to be ready")
  func chain() async throws {
    let first = AsyncOperation {}
    let second = AsyncOperation {}
    try await second.addDependency(first)
    let states = second.states
    let queue = AsyncOperationQueue()
    await queue.add(second, first)
    var history: [String] = []
    for await snapshot in states {
      if snapshot.isReady { #expect(first.isFinished) }
      history.append(short(snapshot))
    }
    #expect(history == ["pending", "ready", "executing", "finished"])
  }

  @Test("KV-04 A pending operation that is cancelled becomes ready and cancelled in one change, and never executes")
  func cancelPending() async throws {
    let operation = AsyncOperation {}
    try await operation.addDependency(AsyncOperation {})
    let history = operation.history()
    operation.cancel()
    try await operation.start()
    #expect(await history.value.map(short) == ["pending", "ready*", "finished*"])
  }

  @Test("KV-05 A ready operation that is cancelled changes in that alone")
  func cancelReady() async throws {
    let operation = AsyncOperation {}
    let history = operation.history()
    operation.cancel()
    operation.cancel()
    try await operation.start()
    #expect(await history.value.map(short) == ["ready", "ready*", "finished*"])
  }

  @Test("KV-06 A dependency makes a ready operation pending, and its removal ready again")
  func becomesPending() async throws {
    let operation = AsyncOperation {}
    let dependency = AsyncOperation {}
    let history = operation.history()
    try await operation.addDependency(dependency)
    await operation.removeDependency(dependency)
    try await operation.start()
    #expect(await history.value.map(short) == ["ready", "pending", "ready", "executing", "finished"])
  }

  @Test("KV-12 A reader that comes late to its sequence has lost nothing, and nothing was merged")
  func slowReader() async throws {
    let operation = AsyncOperation {}
    let dependency = AsyncOperation {}
    let states = operation.states
    for _ in 0..<1_000 {
      try await operation.addDependency(dependency)
      await operation.removeDependency(dependency)
    }
    try await operation.start()
    var history: [String] = []
    for await snapshot in states { history.append(short(snapshot)) }
    #expect(history.count == 2_003)
    #expect(Set(stride(from: 1, to: 2_000, by: 2).map { history[$0] }) == ["pending"])
    #expect(Set(stride(from: 0, through: 2_000, by: 2).map { history[$0] }) == ["ready"])
  }

  @Test("KV-13 A finished operation gives its last snapshot and the end")
  func late() async throws {
    let operation = AsyncOperation {}
    try await operation.start()
    #expect(await operation.history().value.map(short) == ["finished"])
  }

  @Test("Each reading of states starts with the snapshot of its moment")
  func moments() async throws {
    let blocker = Blocker()
    let early = blocker.operation.history()
    let queue = AsyncOperationQueue()
    await queue.add(blocker.operation)
    await blocker.begun.wait()
    let late = blocker.operation.history()
    blocker.release.open()
    #expect(await early.value.map(short) == ["ready", "executing", "finished"])
    #expect(await late.value.map(short) == ["executing", "finished"])
  }

  @Test("Readers that share a sequence share its elements out among them")
  func sharedSequence() async throws {
    let operation = AsyncOperation {}
    let dependency = AsyncOperation {}
    let states = operation.states
    let readers = (0..<4).map { _ in
      Task {
        var count = 0
        for await _ in states { count += 1 }
        return count
      }
    }
    for _ in 0..<100 {
      try await operation.addDependency(dependency)
      await operation.removeDependency(dependency)
    }
    try await operation.start()
    var total = 0
    for reader in readers { total += await reader.value }
    #expect(total == 203)
  }

  @Test("Cancelling a reader ends its sequence, and touches neither the operation nor other readers")
  func cancelledReader() async throws {
    let operation = AsyncOperation {}
    let (cancelled, other) = (operation.history(), operation.history())
    cancelled.cancel()
    #expect(await cancelled.value.count <= 1)
    #expect(!operation.isCancelled)
    try await operation.start()
    #expect(await other.value.map(short) == ["ready", "executing", "finished"])
  }

  @Test("A sequence does not keep its operation, and ends when that goes away without having run")
  func lifetime() async {
    func make() -> (StateSequence<OperationSnapshot>, Weak) {
      let operation = AsyncOperation {}
      return (operation.states, Weak(operation))
    }
    let (states, operation) = make()
    #expect(operation.object == nil)
    var history: [String] = []
    for await snapshot in states { history.append(short(snapshot)) }
    #expect(history == ["ready"])
  }

  @Test("A reader that waits when its operation goes away is let go")
  func lifetimeWhileWaiting() async {
    func make() async -> (Task<Int, Never>, Weak) {
      let operation = AsyncOperation {}
      let (states, begun) = (operation.states, Gate())
      let reader = Task {
        var count = 0
        for await _ in states {
          count += 1
          begun.open()
        }
        return count
      }
      await begun.wait()
      return (reader, Weak(operation))
    }
    let (reader, operation) = await make()
    #expect(await reader.value == 1)
    #expect(operation.object == nil)
  }

  @Test("A reader on an actor is told on that actor")
  @MainActor
  func onActor() async throws {
    let operation = AsyncOperation {}
    let states = operation.states
    try await operation.start()
    var iterator = states.makeAsyncIterator()
    var history: [String] = []
    while let snapshot = await iterator.next(isolation: #isolation) { history.append(short(snapshot)) }
    #expect(history == ["ready", "executing", "finished"])
  }
}
