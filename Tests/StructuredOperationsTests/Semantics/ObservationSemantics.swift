import Testing
import TestSupport

@testable import StructuredOperations

@Suite("KV Observing", .hangGuard)
struct ObservationSemantics {
  @Test("KV-01 A plain run is told as ready, executing, finished")
  func plainRun() async throws {
    let operation = AsyncOperation {}
    let history = operation.history()
    try await operation.start()
    #expect(await history.value.map(short) == ["ready", "executing", "finished"])
  }

  @Test("KV-02 The end of executing and the finish are one change, between which nobody can look")
  func oneChange() async throws {
    for _ in 0..<200 {
      let operation = AsyncOperation {}
      let states = operation.states
      async let start: Void = operation.start()
      var latest: OperationState?
      for await snapshot in states {
        if latest == .executing { #expect(snapshot.state == .finished) }
        latest = snapshot.state
      }
      #expect(latest == .finished)
      #expect(operation.outcome != nil)
      try await start
    }
  }

  @Test("KV-02 The finished element comes last: the queue has let the operation go, its dependents are ready")
  func finishedLast() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
    for round in 0..<2_000 {
      let operation = AsyncOperation {}
      let dependent = AsyncOperation {}
      try await dependent.addDependency(operation)
      let states = operation.states
      await queue.add(operation)
      for await snapshot in states where snapshot.isFinished {
        #expect(dependent.isReady, "in round \(round)")
        #expect(queue.operationCount == 0, "in round \(round)")
      }
      try await dependent.start()
    }
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

  @Test("KV-07 A change of priority is seen at once by whoever asks, and is no change of state")
  func priority() async throws {
    let operation = AsyncOperation {}
    let history = operation.history()
    await operation.setQueuePriority(.high)
    #expect(operation.queuePriority == .high)
    try await operation.start()
    #expect(await history.value.map(short) == ["ready", "executing", "finished"])
  }

  @Test("KV-08 A batch that is added is told as one change of the count")
  func added() async {
    let queue = AsyncOperationQueue(isSuspended: true)
    var states = queue.states.makeAsyncIterator()
    #expect(await states.next()?.operationCount == 0)
    await queue.add((0..<5).map { _ in AsyncOperation {} })
    #expect(await states.next()?.operationCount == 5)
    await queue.add(AsyncOperation {})
    #expect(await states.next()?.operationCount == 6)
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
  }

  @Test("KV-09 What leaves is told as a smaller count, and as completed in the same change")
  func removed() async {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let operations = (0..<200).map { number in AsyncOperation { if number.isMultiple(of: 3) { await Task.yield() } } }
    let states = queue.states
    await queue.add(operations)
    for number in stride(from: 0, to: 200, by: 7) { operations[number].cancel() }
    var latest = 0
    for await snapshot in states {
      #expect(snapshot.operationCount == 0 || snapshot.totalCount == 200)
      #expect(snapshot.completedCount >= latest)
      latest = snapshot.completedCount
      if latest == 200 { break }
    }
    #expect(queue.operationCount == 0)
  }

  @Test("KV-10 The sequence begins with the present snapshot and tells changes of limit and suspension")
  func settings() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
    var iterator = queue.states.makeAsyncIterator()
    #expect(await iterator.next() == QueueSnapshot(maxConcurrentOperationCount: 2))
    await queue.suspend()
    #expect(await iterator.next()?.isSuspended == true)
    try await queue.setMaxConcurrentOperationCount(5)
    #expect(await iterator.next()?.maxConcurrentOperationCount == 5)
    await queue.add(AsyncOperation {})
    #expect(await iterator.next()?.operationCount == 1)
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(await iterator.next()?.completedCount == 1)
  }

  @Test("KV-10 A setting that stays as it was is told to nobody")
  func unchanged() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2)
    var states = queue.states.makeAsyncIterator()
    _ = await states.next()
    await queue.resume()
    try await queue.setMaxConcurrentOperationCount(2)
    await queue.cancelAllOperations()
    await queue.suspend()
    #expect(await states.next() == QueueSnapshot(isSuspended: true, maxConcurrentOperationCount: 2))
  }

  @Test("KV-11 An observer is told in its own task, on its own actor")
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

  @Test("KV-12 An observer that never reads holds up nobody")
  func idleReader() async throws {
    let operation = AsyncOperation {}
    let (idle, history) = (operation.states, operation.history())
    try await operation.start()
    #expect(await history.value.last?.isFinished == true)
    withExtendedLifetime(idle) {}
  }

  @Test("KV-12 Of a queue a slow observer misses some changes, but never the latest")
  func slowReaderOfQueue() async {
    let queue = AsyncOperationQueue()
    var states = queue.states.makeAsyncIterator()
    for _ in 0..<100 { await queue.add {} }
    await queue.waitUntilAllOperationsAreFinished()
    let snapshot = await states.next()
    #expect(snapshot?.completedCount == 100)
    #expect(snapshot?.operationCount == 0)
  }

  @Test("KV-13 A finished operation gives its last snapshot and the end")
  func late() async throws {
    let operation = AsyncOperation {}
    try await operation.start()
    #expect(await operation.history().value.map(short) == ["finished"])
  }
}
