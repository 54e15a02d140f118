import TestSupport
import Testing

@testable import StructuredOperations

@Suite("StallAnalysis")
struct StallAnalysisTests {
  let queue = FakeQueue()

  /// What an analysis found, in short.
  enum Finding: Equatable {
    case nothing, onlyWaitersLeft, scopeNeverEnds
    case pass([String?])
    case fallBehind(String?, [String?])
    case deadlock([String?])
  }

  /// What the queue knows of its operations.
  struct Situation {
    var hasBarrier = true
    var ahead: [AsyncOperation<Void>] = []
    var behind: [AsyncOperation<Void>] = []
    /// Which of those are barriers.
    var barriers: [AsyncOperation<Void>] = []
    var mayPass = true
    var isQuiescent = true
    /// Bodies that wait for everything in the queue.
    var wholeQueueWaits: [BodyWait] = []
    var scopeWait: BodyWait?
    var isScopeDeadlocked = false
    /// Called whenever the analysis asks something, under the graph's lock.
    var meanwhile: @Sendable () -> Void = {}
  }

  func input(_ situation: Situation) -> StallAnalysis.Input {
    let behind = situation.behind.map(\.storage)
    let barriers = situation.barriers.map(\.storage)
    let meanwhile = situation.meanwhile
    let isBehind: @Sendable (OperationStorage) -> Bool = { storage in
      meanwhile()
      return behind.contains(storage)
    }
    return StallAnalysis.Input(
      queue: queue, hasBarrier: situation.hasBarrier, ahead: situation.ahead.map(\.storage), behind: { behind },
      isBehind: isBehind,
      barriers: { barriers }, isBarrier: { barriers.contains($0) },
      mayPass: situation.mayPass, isQuiescent: situation.isQuiescent, wholeQueueWaits: situation.wholeQueueWaits,
      scopeWait: situation.scopeWait, isScopeDeadlocked: situation.isScopeDeadlocked)
  }

  func analyse(_ situation: Situation) -> (finding: Finding, needs: StallAnalysis.Needs) {
    let result = DependencyGraph.analyse(input(situation))
    let (finding, needs) = (result.finding, result.needs)
    defer { leave() }
    let operations = situation.ahead + situation.behind
    let short: Finding =
      switch finding {
      case .nothing: .nothing
      case .onlyWaitersLeft: .onlyWaitersLeft
      case .scopeNeverEnds: .scopeNeverEnds
      case .pass(let storages):
        .pass(storages.map { storage in operations.first { $0.storage === storage }?.name })
      case .fallBehind(let barrier, let storages):
        .fallBehind(
          operations.first { $0.storage === barrier }?.name,
          storages.map { storage in operations.first { $0.storage === storage }?.name })
      case .deadlock(_, let loop): .deadlock(loop.map(\.name))
      }
    return (short, needs)
  }

  func finding(_ situation: Situation) -> Finding { analyse(situation).finding }

  /// Forgets what the queue has left for others.
  func leave() { DependencyGraph.unwatch(ObjectIdentifier(queue)) }

  func named(_ name: String, after others: any OperationProtocol...) async throws -> AsyncOperation<Void> {
    let operation = AsyncOperation(name: name) {}
    for other in others { try await operation.addDependency(other) }
    return operation
  }

  /// Begins a wait of an operation's body.
  func begin(
    _ operation: AsyncOperation<Void>,
    waitingFor subject: BodyWait.Subject,
    runsAwaited: Bool = false
  ) throws -> BodyWait {
    let wait = try operation.begin(in: queue).wait(for: subject, runsAwaited: runsAwaited, in: queue)
    guard DependencyGraph.begin(wait) == nil else { throw Unexpected("a loop") }
    return wait
  }

  func end(_ wait: BodyWait) {
    _ = wait.end(.done)
    wait.unregister()
    DependencyGraph.remove(wait, for: queue)
    wait.operation.storage.finishAlone(wait.operation.storage.publishFinish(), as: wait.operation)
  }

  // MARK: Waits for everything

  @Test("Where all that is left waits for the bodies that wait for everything, only waiters are left")
  func onlyWaitersLeft() async throws {
    let body = try await named("body")
    let dependent = try await named("dependent", after: body)
    let barrier = try await named("barrier")
    let wait = try begin(body, waitingFor: .all(of: queue))
    var situation = Situation(ahead: [body, dependent], behind: [barrier], wholeQueueWaits: [wait])

    #expect(finding(situation) == .onlyWaitersLeft)

    situation.isQuiescent = false
    #expect(finding(situation) == .nothing)
    situation.isQuiescent = true
    situation.ahead.append(try await named("other", after: AsyncOperation {}))
    #expect(finding(situation) == .nothing)
    end(wait)
  }

  @Test("The wait for the end of the scope counts where the waits for everything in it cannot end")
  func scopeWait() async throws {
    let (scope, body) = (try await named("scope"), try await named("body"))
    let scopeWait = try begin(scope, waitingFor: .scope(of: queue))
    let around = FakeQueue()
    let wait = try body.begin(in: around).wait(for: .all(of: queue), in: around)
    #expect(DependencyGraph.begin(wait) == nil)
    let dependent = try await named("dependent", after: AsyncOperation {})
    var situation = Situation(ahead: [body], wholeQueueWaits: [wait], scopeWait: scopeWait)
    #expect(finding(situation) == .onlyWaitersLeft)

    situation = Situation(ahead: [dependent], scopeWait: scopeWait)
    #expect(finding(situation) == .nothing)
    situation = Situation(ahead: [try await named("waits for the scope", after: scope)], scopeWait: scopeWait)
    #expect(finding(situation) == .scopeNeverEnds)
    // The body that waits for everything waits for that one, which does not wait for it.
    situation.wholeQueueWaits = [wait]
    #expect(finding(situation) == .scopeNeverEnds)
    // The same for what waits for it.
    situation.ahead.append(try await named("waits for the body", after: body))
    #expect(finding(situation) == .scopeNeverEnds)
    situation.ahead.append(dependent)
    #expect(finding(situation) == .nothing)
    // It is cancelled once.
    situation.ahead.removeLast()
    situation.isScopeDeadlocked = true
    #expect(finding(situation) == .nothing)
    end(wait)
    end(scopeWait)
  }

  @Test("A scope is not cancelled for the sake of one in it that waits for its end, as long as others are left there")
  func barrierOfScope() async throws {
    let (scope, elsewhere, other) = (try await named("scope"), try await named("elsewhere"), FakeQueue())
    let (body, behind) = (try await named("body"), try await named("behind"))
    behind.enqueue(in: queue)
    let wait = try begin(body, waitingFor: .operations([try await named("for the scope", after: scope)]))
    let waits = [try begin(scope, waitingFor: .scope(of: queue)), try begin(elsewhere, waitingFor: .scope(of: other))]
    let left = try await named("left", after: try await named("idle"))
    #expect(finding(Situation(ahead: [body, left], behind: [behind], scopeWait: waits[0])) == .nothing)
    #expect(
      finding(Situation(ahead: [body], behind: [behind], scopeWait: waits[0]))
        == .deadlock(["body", "for the scope", "scope"]))
    DependencyGraph.remove(waits[1], for: other)
    ([wait] + waits).forEach(end)
    behind.finish()
  }

  @Test("A scope in which a body waits for everything in the queue around it is not cancelled, since that wait ends")
  func waitForQueueAroundScope() async throws {
    let around = FakeQueue()
    let (scope, body) = (try await named("scope"), try await named("body"))
    let scopeWait = try scope.begin(in: around).wait(for: .scope(of: queue), in: around)
    #expect(DependencyGraph.begin(scopeWait) == nil)
    let wait = try begin(body, waitingFor: .all(of: around))
    var situation = Situation(ahead: [body], scopeWait: scopeWait)
    #expect(finding(situation) == .nothing)

    situation.ahead = [try await named("waits for the scope", after: scope)]
    #expect(finding(situation) == .scopeNeverEnds)
    DependencyGraph.remove(wait, for: around)
    end(wait)
    end(scopeWait)
  }

  @Test("What is awaited by a body that waits for everything cannot be told, so the queue needs all operations")
  func openEnded() async throws {
    let body = try await named("body")
    let ahead = try await named("ahead", after: body)
    let other = FakeQueue()
    let wait = try begin(body, waitingFor: .all(of: other))

    let (finding, needs) = analyse(Situation(ahead: [ahead]))

    #expect(finding == .nothing)
    #expect(needs.isOpenEnded)
    DependencyGraph.remove(wait, for: other)
    end(wait)
  }

  // MARK: Deadlocks

  @Test("A body ahead of the barrier that waits for an operation behind it is a deadlock")
  func deadlock() async throws {
    let (behind, body) = (try await named("behind"), try await named("body"))
    let ahead = try await named("ahead", after: body)
    let wait = try begin(body, waitingFor: .operations([behind]))
    var situation = Situation(ahead: [ahead, body], behind: [behind])

    #expect(finding(situation) == .deadlock(["body", "behind"]))

    situation.isQuiescent = false
    #expect(finding(situation) == .nothing)
    end(wait)
  }

  @Test("A deadlock leads from the last wait along the dependencies behind it")
  func deadlockThroughDependency() async throws {
    let behind = try await named("behind")
    let between = try await named("between", after: behind)
    let body = try await named("body")
    let wait = try begin(body, waitingFor: .operations([between]))
    #expect(finding(Situation(ahead: [body], behind: [behind])) == .deadlock(["body", "between", "behind"]))
    end(wait)
  }

  @Test("A body ahead that waits for what passes is no deadlock")
  func waitForPassing() async throws {
    let (behind, body) = (try await named("behind"), try await named("body"))
    let ahead = try await named("ahead", after: behind)
    let wait = try begin(body, waitingFor: .operations([behind]))
    var situation = Situation(ahead: [ahead, body], behind: [behind])
    #expect(finding(situation) == .pass(["behind"]))
    situation.mayPass = false
    #expect(finding(situation) == .nothing)
    end(wait)
  }

  @Test("A wait for what the body itself runs is not ended once that has begun, so the scope or an earlier wait is")
  func runsAwaited() async throws {
    let (body, call) = (try await named("body"), try await named("call"))
    let dependent = try await named("dependent", after: body)
    let other = try await named("other")
    let waits = [
      try begin(body, waitingFor: .operations([call]), runsAwaited: true),
      try begin(other, waitingFor: .operations([dependent])),
    ]
    let scopeWait = try begin(call, waitingFor: .scope(of: queue))
    #expect(finding(Situation(ahead: [dependent], scopeWait: scopeWait)) == .scopeNeverEnds)
    #expect(
      finding(Situation(ahead: [other], scopeWait: scopeWait)) == .deadlock(["other", "dependent", "body", "call"]))
    waits.forEach(end)
    end(scopeWait)
  }

  @Test(
    "A wait in a scope for the body around another scope, in which it was opened, is ended, and neither scope cancelled"
  )
  func throughScopes() async throws {
    let around = FakeQueue()
    let (outer, opener) = (try await named("outer"), try await named("opener"))
    let (awaiting, dependent) = (try await named("awaiting"), try await named("dependent", after: outer))
    let wait = try begin(awaiting, waitingFor: .operations([outer]))
    let outerWait = try begin(outer, waitingFor: .scope(of: around))
    let scopeWait = try opener.begin(in: around).wait(for: .scope(of: queue), in: around)
    #expect(DependencyGraph.begin(scopeWait) == nil)
    var situation = Situation(ahead: [dependent, awaiting], scopeWait: scopeWait)
    #expect(finding(situation) == .deadlock(["awaiting", "outer", "opener"]))

    situation.ahead = [dependent]
    #expect(finding(situation) == .scopeNeverEnds)
    DependencyGraph.remove(outerWait, for: around)
    [wait, outerWait, scopeWait].forEach(end)
  }

  @Test("Of a scope that is awaited, too, a wait ends that leads behind the barrier")
  func throughBarrierOfScope() async throws {
    let (scope, body, behind) = (try await named("scope"), try await named("body"), try await named("behind"))
    let wait = try begin(body, waitingFor: .operations([behind]))
    let scopeWait = try begin(scope, waitingFor: .scope(of: queue))
    #expect(finding(Situation(ahead: [body], behind: [behind], scopeWait: scopeWait)) == .deadlock(["body", "behind"]))
    end(wait)
    end(scopeWait)
  }

  @Test("A wait for what the body itself is to run is ended as long as that has not begun")
  func runsAwaitedLater() async throws {
    let (body, call, ahead) = (try await named("body"), try await named("call"), try await named("ahead"))
    let dependent = try await named("dependent", after: body)
    let wait = try begin(body, waitingFor: .operations([call]), runsAwaited: true)
    DependencyGraph.withLock { state, _ in state.barrierCalls.insert(call.storage, after: [ahead.storage]) }
    let scopeWait = try begin(ahead, waitingFor: .scope(of: queue))
    #expect(finding(Situation(ahead: [dependent], scopeWait: scopeWait)) == .deadlock(["body", "call", "ahead"]))
    DependencyGraph.remove(barrier: call.storage)
    end(wait)
    end(scopeWait)
  }

  @Test("A wait for the scope's end that was found out of reach is no deadlock again")
  func abandoned() async throws {
    let (behind, body) = (try await named("behind"), try await named("body"))
    let wait = try begin(body, waitingFor: .operations([behind]))
    let situation = Situation(ahead: [body], behind: [behind])
    #expect(finding(situation) == .deadlock(["body", "behind"]))
    #expect(wait.abandon())
    #expect(finding(situation) == .nothing)
    end(wait)
  }
}
