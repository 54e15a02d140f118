import Testing
import TestSupport

@testable import StructuredOperations

@Suite("DP Dependencies", .hangGuard)
struct DependencySemantics {
  @Test("DP-01, DP-02 They are listed in the order of addition, each once")
  func order() async throws {
    let operation = AsyncOperation {}
    let others = (0..<20).map { number in AsyncOperation(name: "\(number)") {} }
    for other in others + others { try await operation.addDependency(other) }
    #expect(operation.dependencies.map(\.name) == (0..<20).map { "\($0)" })
    try await others[3].start()
    #expect(operation.dependencies.count == 20, "DP-15")
  }

  @Test("DP-02 A duplicate is waited for once, and removed at once")
  func duplicate() async throws {
    let operation = AsyncOperation {}
    let other = AsyncOperation {}
    for _ in 0..<3 { try await operation.addDependency(other) }
    #expect(operation.state == .pending)
    await operation.removeDependency(other)
    #expect(operation.state == .ready)
  }

  /// Whom to ask whether a long list of dependencies has one already.
  enum Known: CaseIterable { case dependency, listSinceManyDependOnIt, listSinceItHasFinished }

  @Test("DP-02 A duplicate in a long list is one dependency, however that is found", arguments: Known.allCases)
  func duplicateInLongList(known: Known) async throws {
    let operation = AsyncOperation {}
    let others = (0..<20).map { number in AsyncOperation(name: "\(number)") { throw Failure() } }
    for other in others { try await operation.addDependency(other) }
    let dependents = (0..<20).map { _ in AsyncOperation {} }
    switch known {
    case .dependency: break
    case .listSinceManyDependOnIt: for dependent in dependents { try await dependent.addDependency(others[7]) }
    case .listSinceItHasFinished: try await others[7].start()
    }

    for requirement in [DependencyRequirement.completion, .success] {
      try await operation.addDependency(others[7], requiring: requirement)
      #expect(operation.dependencies.map(\.name) == (0..<20).map { "\($0)" })
    }

    await operation.removeDependency(others[3])
    try await operation.addDependency(others[3])
    #expect(operation.dependencies.last === others[3])
    #expect(operation.dependencies.count == 20)
    if known != .listSinceItHasFinished { try await others[7].start() }
    await AsyncOperationQueue().addAndWait([operation])
    #expect((operation.outcome?.error as? OperationError)?.root?.operation === others[7])
  }

  @Test("DP-02 Of two requirements the stronger one holds, in whichever order they come", arguments: [false, true])
  func strengthen(isStrongFirst: Bool) async throws {
    let operation = AsyncOperation {}
    let other = AsyncOperation { throw Failure() }
    let requirements: [DependencyRequirement] = isStrongFirst ? [.success, .completion] : [.completion, .success]
    for requirement in requirements { try await operation.addDependency(other, requiring: requirement) }
    await AsyncOperationQueue().addAndWait([other, operation])
    #expect((operation.outcome?.error as? OperationError)?.root?.operation === other)
  }

  @Test("DP-02 A requirement may become stronger after the failure")
  func strengthenAfterwards() async throws {
    let queue = AsyncOperationQueue(isSuspended: true)
    let operation = AsyncOperation {}
    let other = AsyncOperation { throw Failure() }
    try await operation.addDependency(other)
    await queue.add(operation)
    try await other.start()
    try await operation.addDependency(other, requiring: .success)
    await queue.resume()
    await operation.waitUntilFinished()
    #expect(operation.outcome?.error is OperationError)
  }

  @Test("DP-06, DP-07 A finished one is recorded and not waited for, an executing one is waited for")
  func finishedAndExecuting() async throws {
    let finished = AsyncOperation {}
    try await finished.start()
    let blocker = Blocker()
    await AsyncOperationQueue().add(blocker.operation)
    await blocker.begun.wait()
    let operation = AsyncOperation {}
    try await operation.addDependency(finished)
    #expect(operation.isReady)
    try await operation.addDependency(blocker.operation)
    #expect(!operation.isReady)
    blocker.release.open()
    await blocker.operation.waitUntilFinished()
    #expect(operation.isReady)
    #expect(operation.dependencies.count == 2)
  }

  @Test("DP-08 On an executing or finished operation a dependency has no effect, is not listed, and is no error")
  func lateReceiver() async throws {
    let blocker = Blocker()
    await AsyncOperationQueue().add(blocker.operation)
    await blocker.begun.wait()
    let other = AsyncOperation {}
    try await blocker.operation.addDependency(other)
    #expect(blocker.operation.isExecuting)
    blocker.release.open()
    await blocker.operation.waitUntilFinished()
    try await blocker.operation.addDependency(other)
    #expect(blocker.operation.isFinished)
    #expect(blocker.operation.dependencies.isEmpty)
    try await other.addDependency(blocker.operation)
  }

  @Test("DP-09 A dependency that is added while the operation waits in a queue is honoured")
  func addedLate() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let recorder = Recorder<Int>()
    let blocker = Blocker()
    let late = AsyncOperation { recorder.note(1) }
    let other = AsyncOperation { recorder.note(0) }
    await queue.add(blocker.operation, late, other)
    await blocker.begun.wait()
    try await late.addDependency(other)
    blocker.release.open()
    await queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.begun == [0, 1])
  }

  @Test("DP-10 A cancelled operation stays ready whatever it depends on")
  func cancelledReceiver() async throws {
    let operation = AsyncOperation {}
    operation.cancel()
    let other = AsyncOperation {}
    try await operation.addDependency(other)
    #expect(operation.isReady)
    #expect(operation.dependencies.count == 1)
    await operation.removeDependency(other)
    #expect(operation.isReady, "DP-18")
  }

  @Test("DP-11, DP-13 Dependencies reach across queues, and a failed or cancelled one satisfies them")
  func acrossQueues() async throws {
    let (one, other) = (AsyncOperationQueue(), AsyncOperationQueue())
    let failed = AsyncOperation { throw Failure() }
    let cancelled = AsyncOperation {}
    let operation = AsyncOperation { 1 }
    try await operation.addDependencies(failed, cancelled)
    cancelled.cancel()
    await other.add(operation)
    await one.add(failed, cancelled)
    #expect(try await operation.value == 1)
  }

  @Test("DP-12 A dependency that nobody starts holds its dependent for good, and nobody else; the queue can tell")
  func neverStarted() async throws {
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 1)
    let (never, operation) = (AsyncOperation {}, AsyncOperation(queuePriority: .veryHigh) { 1 })
    try await operation.addDependency(never)
    await queue.add(operation)
    await queue.addAndWait((0..<100).map { _ in AsyncOperation {} })
    #expect(operation.state == .pending)
    #expect(await queue.operations.count == 1)
    #expect(await queue.stalled.map { ObjectIdentifier($0.operation) } == [ObjectIdentifier(operation)])
    try await never.start()
    #expect(try await operation.value == 1)
  }

  @Test(
    "DP-13 Where success is required a failure goes through a chain with its root, and waits for no other dependency")
  func failureThroughChain() async throws {
    let root = AsyncOperation(name: "root") { throw Failure(code: 9) }
    let never = AsyncOperation {}
    var chain: [AsyncOperation<Void>] = [root]
    for _ in 0..<5 {
      let next = AsyncOperation<Void> { Issue.record("it ran") }
      try await next.addDependency(never, requiring: .success)
      try await next.addDependency(chain[chain.count - 1], requiring: .success)
      chain.append(next)
    }
    await AsyncOperationQueue().addAndWait(chain)
    for operation in chain.dropFirst() {
      let error = operation.outcome?.error as? OperationError
      #expect(error?.root?.operation === root)
      #expect(error?.root?.underlying as? Failure == Failure(code: 9))
      #expect(!operation.isCancelled)
    }
  }

  @Test("DP-14 A dependency that was cancelled counts as unfinished until it has been run")
  func cancelledDependency() async throws {
    let operation = AsyncOperation {}
    let other = AsyncOperation {}
    try await operation.addDependency(other)
    other.cancel()
    #expect(operation.state == .pending)
    try await other.start()
    #expect(operation.state == .ready)
  }

  @Test("DP-15 A finished dependency stays listed until it is removed")
  func keptAfterFinish() async throws {
    let operation = AsyncOperation {}
    let (one, other) = (AsyncOperation(name: "one") {}, AsyncOperation(name: "other") {})
    try await operation.addDependencies(one, other)
    let queue = AsyncOperationQueue()
    await queue.addAndWait([one, other])
    #expect(operation.dependencies.map(\.name) == ["one", "other"])
    await operation.removeDependency(one)
    #expect(operation.dependencies.map(\.name) == ["other"])
    await queue.addAndWait([operation])
    #expect(operation.dependencies.map(\.name) == ["other"])
  }

  @Test("DP-15, DP-16 A finished operation lists those of its dependencies that somebody else holds, and holds none")
  func pastDependencies() async throws {
    let operation = AsyncOperation {}
    let held = AsyncOperation(name: "held") {}
    func depend() async throws -> Weak {
      let dropped = AsyncOperation(name: "dropped") {}
      try await operation.addDependencies(held, dropped)
      await AsyncOperationQueue().addAndWait([held, dropped, operation])
      #expect(operation.dependencies.map(\.name) == ["held", "dropped"])
      return Weak(dropped)
    }
    let dropped = try await depend()
    #expect(await eventually { dropped.object == nil })
    #expect(operation.dependencies.map(\.name) == ["held"])
    await operation.removeDependency(held)
    #expect(operation.dependencies.isEmpty)
  }

  @Test("DP-16 A chain of 100 000 operations that never ran is freed without recursion")
  func plainChain() async throws {
    func make() async throws -> (first: Weak, last: Weak) {
      let first = AsyncOperation {}
      var last = first
      for _ in 1..<100_000 {
        let next = AsyncOperation {}
        try await next.addDependency(last)
        last = next
      }
      return (Weak(first), Weak(last))
    }
    let (first, last) = try await make()
    #expect(last.object == nil)
    #expect(first.object == nil)
  }

  @Test("DP-16 So is a chain of 100 000 operations that get each other's outputs")
  func fanInChain() async {
    func make() -> (first: Weak, last: Weak) {
      let first = AsyncOperation { 0 }
      var last = first
      for _ in 1..<100_000 { last = AsyncOperation(after: last) { $0 + 1 } }
      return (Weak(first), Weak(last))
    }
    let (first, last) = make()
    #expect(last.object == nil)
    #expect(first.object == nil)
  }

  @Test(
    "DP-16 A chain of 20 000 operations runs, fails, or is cancelled from its head without recursion",
    arguments: 0..<3)
  func runningChain(ending: Int) async throws {
    func run() async throws -> Weak {
      let first = AsyncOperation<Int> {
        if ending == 1 { throw Failure() }
        return 0
      }
      var chain = [first]
      for _ in 1..<20_000 { chain.append(AsyncOperation(after: chain[chain.count - 1]) { $0 + 1 }) }
      if ending == 2 { first.cancel() }
      let last = chain[chain.count - 1]
      await AsyncOperationQueue().add(chain.reversed())
      await last.waitUntilFinished()
      if ending == 0 { #expect(try await last.value == 19_999) }
      if ending > 0 { #expect((last.outcome?.error as? OperationError)?.root?.operation === first) }
      return Weak(first)
    }
    let first = try await run()
    #expect(await eventually { first.object == nil })
  }

  @Test("DP-17, DP-19 Removing an unfinished one may make the operation ready; removing a stranger does nothing")
  func removal() async throws {
    let queue = AsyncOperationQueue()
    let operation = AsyncOperation {}
    let (one, other) = (AsyncOperation {}, AsyncOperation {})
    try await operation.addDependencies(one, other)
    await queue.add(operation)
    await operation.removeDependency(AsyncOperation {})
    await operation.removeDependency(one)
    await operation.removeDependency(one)
    #expect(operation.state == .pending)
    await operation.removeDependency(other)
    await operation.waitUntilFinished()
    #expect(operation.dependencies.isEmpty)
  }

  @Test("DP-18 Removing a finished dependency from a cancelled operation, or an unfinished one, changes nothing")
  func removalAfterCancelling() async throws {
    let operation = AsyncOperation {}
    let (finished, unfinished) = (AsyncOperation {}, AsyncOperation {})
    try await operation.addDependencies(finished, unfinished)
    try await finished.start()
    operation.cancel()
    for dependency in [finished, unfinished] {
      await operation.removeDependency(dependency)
      #expect(operation.snapshot == OperationSnapshot(state: .ready, isCancelled: true))
    }
    #expect(operation.dependencies.isEmpty)
    try await operation.start()
    #expect(operation.isFinished)
  }

  @Test("DP-20 Readiness comes first, priority only among ready ones")
  func againstPriority() async throws {
    let recorder = Recorder<String>()
    func operation(_ name: String, _ priority: QueuePriority) -> AsyncOperation<Void> {
      AsyncOperation(queuePriority: priority) { recorder.note(name) }
    }
    let (low, high, normal) = (operation("low", .veryLow), operation("high", .veryHigh), operation("normal", .normal))
    try await high.addDependency(low)
    await AsyncOperationQueue(maxConcurrentOperationCount: 1).addAndWait([high, low, normal])
    #expect(recorder.begun == ["normal", "low", "high"])
  }
}
