import TestSupport
import Testing

@testable import StructuredOperations

@Suite("DependencyGraph", .timeLimit(.minutes(15)), .hangGuard)
struct DependencyGraphTests {
  private let queue = FakeQueue()

  private func named(_ names: String...) -> [AsyncOperation<Void>] { names.map { AsyncOperation(name: $0) {} } }

  /// Makes an operation depend on another one.
  ///
  /// - Returns: The names along the loop that this would close; nil where it closes none.
  private func loop(_ operation: AsyncOperation<Void>, dependingOn other: AsyncOperation<Void>) throws -> [String?]? {
    do {
      try DependencyGraph.add(other, to: operation, requirement: .completion)
      return nil
    } catch OperationError.dependencyCycle(let path) {
      return path.map(\.name)
    }
  }

  /// Begins a wait.
  ///
  /// - Returns: The names along the loop that the wait would close; nil where it closes none.
  private func loop(beginning wait: BodyWait) -> [String?]? { DependencyGraph.begin(wait)?.map(\.name) }

  // MARK: Dependencies

  @Test("An operation cannot depend on itself")
  func itself() {
    let operation = AsyncOperation {}
    #expect(throws: OperationError.dependencyOnSelf) {
      try DependencyGraph.add(operation, to: operation, requirement: .completion)
    }
  }

  @Test("A dependency that closes a loop is refused with the operations along it, and leaves no edge")
  func dependencies() throws {
    let operations = named("a", "b", "c")
    #expect(try loop(operations[0], dependingOn: operations[1]) == nil)
    #expect(try loop(operations[1], dependingOn: operations[2]) == nil)

    #expect(try loop(operations[2], dependingOn: operations[0]) == ["c", "a", "b"])

    #expect(operations[2].storage.dependencies.isEmpty)
    #expect(operations[0].storage.read { $0.dependents.isEmpty })
  }

  @Test("An edge that was removed closes no loop")
  func removed() throws {
    let operations = named("a", "b")
    #expect(try loop(operations[0], dependingOn: operations[1]) == nil)
    DependencyGraph.remove(operations[1], from: operations[0])
    #expect(operations[1].storage.read { $0.dependents.isEmpty })
    #expect(try loop(operations[1], dependingOn: operations[0]) == nil)
  }

  @Test("A dependency that is added to or removed from an operation in a queue notifies the queue")
  func notification() throws {
    let operations = named("a", "b")
    operations[0].enqueue(in: queue)
    #expect(try loop(operations[0], dependingOn: operations[1]) == nil)
    #expect(queue.messages == [.changed(.readiness)])
    DependencyGraph.remove(operations[1], from: operations[0])
    #expect(queue.messages == [.changed(.readiness), .changed(.readiness)])
    operations[0].finish()
  }

  @Test("Of two tasks that close a loop of dependencies from both ends exactly one is refused")
  func bothEnds() async throws {
    for _ in 0..<500 {
      let operations = named("a", "b")
      async let one = loop(operations[0], dependingOn: operations[1])
      async let other = loop(operations[1], dependingOn: operations[0])
      let loops = try await [one, other].compactMap(\.self)
      #expect(loops == [["a", "b"]] || loops == [["b", "a"]])
    }
  }

  // MARK: Waits

  @Test("A body that waits for its own operation closes a loop")
  func ownOperation() throws {
    let operation = AsyncOperation(name: "a") {}
    let context = try operation.begin(in: queue)
    #expect(loop(beginning: context.wait(for: .operations([operation]), in: queue)) == ["a"])
    #expect(operation.storage.read { $0.wait == nil })
    operation.finish()
  }

  @Test("A wait for an operation that depends on the body's closes a loop, and leaves no edge")
  func waitForDependent() throws {
    let operations = named("body", "between", "dependent")
    #expect(try loop(operations[1], dependingOn: operations[0]) == nil)
    #expect(try loop(operations[2], dependingOn: operations[1]) == nil)
    let context = try operations[0].begin(in: queue)

    let wait = context.wait(for: .operations([AsyncOperation {}, operations[2]]), in: queue)

    #expect(loop(beginning: wait) == ["body", "dependent", "between"])
    #expect(operations[0].storage.read { $0.wait == nil })
    #expect(operations[2].storage.read { $0.waitingBodies.isEmpty })
    operations[0].finish()
  }

  @Test("A dependency on an operation whose body waits for the dependent closes a loop, until the wait is over")
  func dependencyOnWaiting() throws {
    let operations = named("body", "awaited")
    let context = try operations[0].begin(in: queue)
    let wait = context.wait(for: .operations([operations[1]]), in: queue)
    #expect(loop(beginning: wait) == nil)
    #expect(operations[0].storage.read { $0.wait } === wait)

    #expect(try loop(operations[1], dependingOn: operations[0]) == ["awaited", "body"])

    #expect(wait.end(.done))
    wait.unregister()
    #expect(try loop(operations[1], dependingOn: operations[0]) == nil)
    operations[0].finish()
  }

  @Test("Of two bodies that begin to wait for each other's operations exactly one is told of the loop")
  func bothWaits() async throws {
    for _ in 0..<500 {
      let operations = named("a", "b")
      let contexts = try operations.map { try $0.begin(in: queue) }
      let waits = [
        contexts[0].wait(for: .operations([operations[1]]), in: queue),
        contexts[1].wait(for: .operations([operations[0]]), in: queue),
      ]
      let loops = await withTaskGroup { group in
        for wait in waits { group.addTask { loop(beginning: wait) } }
        return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
      }
      #expect(loops == [["a", "b"]] || loops == [["b", "a"]])
      for wait in waits {
        _ = wait.end(.done)
        wait.unregister()
      }
      for operation in operations { operation.finish() }
    }
  }

  @Test("Of a wait and a dependency that close a loop from both ends exactly one is refused")
  func waitAndDependency() async throws {
    for _ in 0..<500 {
      let operations = named("body", "other")
      let context = try operations[0].begin(in: queue)
      let wait = context.wait(for: .operations([operations[1]]), in: queue)
      async let one = Optional(loop(beginning: wait))
      async let other = loop(operations[1], dependingOn: operations[0])
      let loops = try await [one?.flatMap(\.self), other].compactMap(\.self)
      #expect(loops.count == 1)
      _ = wait.end(.done)
      wait.unregister()
      operations[0].finish()
    }
  }

  @Test(
    "A wait for what has finished is over when it begins; without a queue its body resumes", arguments: [false, true])
  func finished(isInQueue: Bool) async throws {
    let (operation, awaited) = (AsyncOperation {}, AsyncOperation {})
    try await awaited.start()
    let context = try operation.begin(in: queue)
    let wait = context.wait(for: .operations([awaited]), in: isInQueue ? queue : nil)

    #expect(loop(beginning: wait) == nil)

    #expect(wait.isOver)
    if isInQueue { wait.resume() }
    guard case .done = await wait.untilResumed() else { throw Unexpected("a loop") }
    operation.finish()
  }

  // MARK: Waits for a whole queue

  @Test("While a body waits for everything in a queue nothing in that queue may depend on the body's operation")
  func wholeQueueWait() throws {
    let operations = named("body", "inside", "outside")
    let awaited = FakeQueue()
    let context = try operations[0].begin(in: queue)
    operations[1].enqueue(in: awaited)
    let wait = context.wait(for: .all(of: awaited), in: queue)
    #expect(loop(beginning: wait) == nil)

    #expect(try loop(operations[1], dependingOn: operations[0]) == ["inside", "body"])
    #expect(try loop(operations[2], dependingOn: operations[0]) == nil)

    #expect(wait.end(.done))
    DependencyGraph.remove(wait, for: awaited)
    #expect(try loop(operations[1], dependingOn: operations[0]) == nil)
    operations[0].finish()
    operations[1].finish()
  }

  @Test("A body may wait for everything in a queue in which operations depend on its own: those are not waited for")
  func wholeQueueWaitOfAwaited() throws {
    let operations = named("body", "inside")
    let awaited = FakeQueue()
    operations[1].enqueue(in: awaited)
    #expect(try loop(operations[1], dependingOn: operations[0]) == nil)
    let context = try operations[0].begin(in: queue)
    let wait = context.wait(for: .all(of: awaited), in: queue)

    #expect(loop(beginning: wait) == nil)

    #expect(wait.end(.done))
    DependencyGraph.remove(wait, for: awaited)
    for operation in operations { operation.finish() }
  }

  @Test("The independent ones of some operations are those that do not wait for a given one")
  func independent() throws {
    let operations = named("body", "waiting", "dependent", "other")
    #expect(try loop(operations[2], dependingOn: operations[1]) == nil)
    let context = try operations[1].begin(in: queue)
    let wait = context.wait(for: .operations([operations[0]]), in: queue)
    #expect(loop(beginning: wait) == nil)

    let independent = DependencyGraph.independent(of: operations[0].storage, operations)

    #expect(independent.map(\.name).suffix(1) == ["other"])
    #expect(!independent.contains { $0 === operations[1] || $0 === operations[2] })
    _ = wait.end(.done)
    wait.unregister()
    operations[1].finish()
  }

  // MARK: Watchers

  @Test("A queue that watches operations is told once of an edge that begins at one of them")
  func watchers() throws {
    let operations = named("watched", "a", "b", "c")
    let needs = StallAnalysis.Needs([operations[0].storage])
    DependencyGraph.withLock { state, _ in state.watch(queue, for: needs, nil) }

    #expect(try loop(operations[1], dependingOn: operations[0]) == nil)
    #expect(queue.messages == [])
    #expect(try loop(operations[0], dependingOn: operations[2]) == nil)
    #expect(queue.messages == [.graphChanged])
    #expect(try loop(operations[0], dependingOn: operations[3]) == nil)
    #expect(queue.messages == [.graphChanged])
  }

  @Test("A queue that watches operations is told of a wait that begins in one of them")
  func watchedWait() throws {
    let operation = AsyncOperation {}
    let context = try operation.begin(in: queue)
    let watching = FakeQueue()
    DependencyGraph.withLock { state, _ in state.watch(watching, for: StallAnalysis.Needs([operation.storage]), nil) }
    let wait = context.wait(for: .operations([AsyncOperation {}]), in: queue)

    #expect(loop(beginning: wait) == nil)

    #expect(watching.messages == [.graphChanged])
    _ = wait.end(.done)
    wait.unregister()
    operation.finish()
  }

  @Test("A scope is not looked at for the wait for another one, which is, but for other waits")
  func watchedScope() throws {
    let (operations, watching, inner) = (named("outer", "inner"), FakeQueue(), FakeQueue())
    let needs = StallAnalysis.Needs(operations.map(\.storage))
    DependencyGraph.withLock { state, _ in state.watch(watching, for: needs, stallsByScopeAlone: true, nil) }
    let scopeWait = try operations[0].begin(in: queue).wait(for: .scope(of: inner), in: queue)

    #expect(loop(beginning: scopeWait) == nil)
    // Queues of other tests may be told of any wait.
    for queue in DependencyGraph.wholeQueueWaitBegan(scopeWait, for: inner) { queue.graphChanged() }
    #expect(watching.messages == [])
    let wait = try operations[1].begin(in: queue).wait(for: .all(of: inner), in: queue)
    #expect(loop(beginning: wait) == nil)
    #expect(watching.messages == [.graphChanged])

    for wait in [scopeWait, wait] {
      _ = wait.end(.done)
      DependencyGraph.remove(wait, for: inner)
      wait.unregister()
    }
    for operation in operations { operation.finish() }
  }

  @Test("A queue that watches no more is told of nothing")
  func unwatched() throws {
    let operations = named("watched", "a")
    DependencyGraph.withLock { state, _ in state.watch(queue, for: StallAnalysis.Needs([operations[0].storage]), nil) }
    DependencyGraph.unwatch(ObjectIdentifier(queue))
    #expect(try loop(operations[0], dependingOn: operations[1]) == nil)
    #expect(queue.messages == [])
  }
}
