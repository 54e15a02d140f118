import Testing

@testable import StructuredOperations

// Scopes of several queues.
extension StallAnalysisTests {
  @Test(
    "In a cancelled scope a body that goes on by the cancellation has no other scope cancelled",
    arguments: [false, true])
  func otherScopeOfCancelled(isCancelled: Bool) async throws {
    let (own, other) = (FakeQueue(), FakeQueue())
    let (owner, a, b) = (try await named("owner"), try await named("a"), try await named("b"))
    // a waits for a scope with one that depends on b, and b for one with what depends on the body around the analysed scope.
    let (inOwn, inOther) = (try await named("in own", after: b), try await named("in other", after: owner))
    inOwn.enqueue(in: own)
    inOther.enqueue(in: other)
    let waits = try [
      begin(a, waitingFor: .scope(of: own)), begin(b, waitingFor: .scope(of: other)),
      begin(owner, waitingFor: .scope(of: queue)),
    ]
    if isCancelled { _ = a.storage.markCancelled() }
    var situation = Situation(hasBarrier: false, ahead: [a], scopeWait: waits[2])
    #expect(finding(situation) == .scopeNeverEnds)

    situation.isScopeDeadlocked = true

    #expect(finding(situation) == (isCancelled ? .nothing : .deadlock(["b", "in other", "owner"])))
    DependencyGraph.remove(waits[0], for: own)
    DependencyGraph.remove(waits[1], for: other)
    waits.forEach(end)
    for operation in [inOwn, inOther] { operation.finish() }
  }

  /// What is in the scope of a body that is cancelled.
  enum InCancelledScope: CaseIterable, Sendable { case closureOfRun, body, notBegun }

  @Test(
    "In a scope within a cancelled one a closure of run has its own scope cancelled, a body goes on, and the rest leaves",
    arguments: InCancelledScope.allCases)
  func scopeInCancelled(inner: InCancelledScope) async throws {
    let (own, other) = (FakeQueue(), FakeQueue())
    let (owner, a) = (try await named("owner"), try await named("a"))
    // a waits for a scope with b, and b for one with what depends on the body around the analysed scope.
    let b =
      inner == .closureOfRun
      ? AsyncOperation<Void>(
        .caller, isAsynchronous: true, name: "b", queuePriority: .normal, taskPriority: 0, executor: nil,
        madeAt: CreationSite(file: #fileID, line: #line))
      : inner == .body ? try await named("b") : try await named("b", after: owner)
    let inOther = try await named("in other", after: owner)
    b.enqueue(in: own)
    inOther.enqueue(in: other)
    var waits = try [begin(a, waitingFor: .scope(of: own)), begin(owner, waitingFor: .scope(of: queue))]
    if inner != .notBegun { waits.append(try begin(b, waitingFor: .scope(of: other))) }
    for operation in [a, b] { _ = operation.storage.markCancelled() }
    let situation = Situation(hasBarrier: false, ahead: [a], scopeWait: waits[1], isScopeDeadlocked: true)

    let expected = inner == .closureOfRun ? Finding.deadlock(["b", "in other", "owner"]) : .nothing
    #expect(finding(situation) == expected)

    DependencyGraph.remove(waits[0], for: own)
    if inner != .notBegun { DependencyGraph.remove(waits[2], for: other) }
    waits.forEach(end)
    if inner == .notBegun { b.finish() }
    inOther.finish()
  }
}
