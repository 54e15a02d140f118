import Testing
import TestSupport

@testable import StructuredOperations

// Barriers of several queues.
extension StallAnalysisTests {
  /// What is so in a queue, and the queue.
  private struct Other {
    let tests = StallAnalysisTests()
    var situation = Situation()

    var queue: FakeQueue { tests.queue }

    var input: StallAnalysis.Input { tests.input(situation) }

    /// Has the queue look, and keeps what it leaves for others.
    func analyse() -> StallAnalysis.Result { DependencyGraph.analyse(input) }

    func leave() { tests.leave() }
  }

  /// Has several queues look, one after the other, with nothing in between: what other tests add could have removed what the
  /// first ones have left.
  private func results(_ inputs: StallAnalysis.Input...) -> [StallAnalysis.Result] {
    DependencyGraph.withLock { state, releases in inputs.map { state.analyse($0, &releases) } }
  }

  /// Another queue, in which one is ahead of a barrier and one behind it.
  private func other(ahead: AsyncOperation<Void>, behind: AsyncOperation<Void>...) -> Other {
    let other = Other(situation: Situation(ahead: [ahead], behind: behind))
    for operation in behind { operation.enqueue(in: other.queue) }
    return other
  }

  @Test("The queue that looks last finds the loop through all of them, and ends the last wait", arguments: 1...3)
  func ring(count: Int) async throws {
    var others: [Other] = []
    var waits: [BodyWait] = []
    let (first, last) = (try await named("first"), try await named("last"))
    last.enqueue(in: queue)
    var behind = last
    // Each is ahead of a barrier, and awaits what is behind that of the one before.
    for number in 0..<count {
      let (ahead, next) = (try await named("ahead \(number)"), try await named("behind \(number)"))
      others.append(other(ahead: ahead, behind: next))
      waits.append(try begin(ahead, waitingFor: .operations([behind])))
      behind = next
    }
    waits.append(try begin(first, waitingFor: .operations([behind])))
    let situation = Situation(ahead: [first], behind: [last])
    for other in others {
      guard case .nothing = other.analyse().finding else { throw Unexpected("a finding") }
    }

    #expect(finding(situation) == .deadlock(["ahead 0", "last"]))
    #expect(waits.map(\.isOver) == [true] + Array(repeating: false, count: count))
    #expect(finding(situation) == .nothing, "it is no loop any more")

    others.forEach { $0.leave() }
    waits.forEach(end)
    for other in others { other.situation.behind[0].finish() }
    last.finish()
  }

  @Test(
    "A queue leaves nothing where it is not quiescent, has no barrier, or those ahead await nothing that may be held up"
  )
  func nothingLeft() async throws {
    let (ahead, behind, idle) = (try await named("ahead"), try await named("behind"), try await named("idle"))
    var other = other(ahead: ahead, behind: behind)
    let wait = try begin(ahead, waitingFor: .operations([idle]))
    #expect(other.analyse().isHoldKnown)
    other.situation.isQuiescent = false
    #expect(!other.analyse().isHoldKnown)
    other.situation.isQuiescent = true
    other.situation.hasBarrier = false
    #expect(!other.analyse().isHoldKnown)
    other.situation.hasBarrier = true
    _ = try idle.begin(in: queue)
    #expect(!other.analyse().isHoldKnown, "what executes is held up by no barrier")
    let elsewhere = FakeQueue(hasBarriers: false)
    let unheld = try await named("unheld")
    unheld.enqueue(in: elsewhere)
    let waits = [try other.tests.begin(try await named("other"), waitingFor: .operations([unheld]))]
    other.situation.ahead = [waits[0].operation as? AsyncOperation<Void> ?? ahead]
    #expect(!other.analyse().isHoldKnown, "nothing is held up in a queue without barriers")
    waits.forEach(end)
    unheld.finish()
    other.leave()
    end(wait)
    idle.finish()
    behind.finish()
  }

  @Test("What a queue has left is gone with the first edge that may matter to it")
  func edge() async throws {
    let (ahead, behind, idle) = (try await named("ahead"), try await named("behind"), try await named("idle"))
    let other = other(ahead: ahead, behind: behind)
    let wait = try begin(ahead, waitingFor: .operations([idle]))
    #expect(other.analyse().isHoldKnown)
    #expect(DependencyGraph.withLock { state, _ in state.barrierHolds.isHeld(behind.storage) })
    try await idle.addDependency(behind)
    #expect(!DependencyGraph.withLock { state, _ in state.barrierHolds.isHeld(behind.storage) })
    #expect(other.queue.messages.contains(.graphChanged))
    end(wait)
    behind.finish()
  }

  @Test("Where only dependencies are on the loop what is needed passes, but not what depends on the barrier")
  func passingThroughOthers() async throws {
    let (needed, unneeded, barrier) = (try await named("d"), try await named("e"), try await named("barrier"))
    let (b, c) = (try await named("b"), try await named("c", after: needed))
    let a = try await named("a", after: b)
    for operation in [needed, unneeded, barrier] { operation.enqueue(in: queue) }
    let other = other(ahead: c, behind: b)
    c.enqueue(in: other.queue)
    guard case .nothing = other.analyse().finding else { throw Unexpected("a finding") }
    var situation = Situation(ahead: [a], behind: [barrier, needed, unneeded], barriers: [barrier])
    #expect(finding(situation) == .pass(["d"]))
    situation.mayPass = false
    #expect(finding(situation) == .nothing)
    situation.mayPass = true
    situation.isQuiescent = false
    #expect(finding(situation) == .nothing)
    situation.isQuiescent = true

    try await needed.addDependency(barrier)
    #expect(other.queue.messages.contains(.graphChanged))
    guard case .nothing = other.analyse().finding else { throw Unexpected("a finding") }
    #expect(finding(situation) == .fallBehind("barrier", ["a"]))
    other.leave()
    for operation in [needed, unneeded, barrier, b, c] { operation.finish() }
  }

  @Test("What depends on a barrier through another queue falls behind it, unless the barrier depends on that likewise")
  func fallingThroughOthers() async throws {
    let (first, second) = (try await named("first"), try await named("second"))
    let (behind, needed) = (try await named("behind"), try await named("needed"))
    for operation in [first, second, needed] { operation.enqueue(in: queue) }
    let ahead = try await named("ahead", after: second)
    var other = other(ahead: ahead, behind: behind)
    ahead.enqueue(in: other.queue)
    try await needed.addDependency(behind)
    try await first.addDependency(needed)
    guard case .nothing = other.analyse().finding else { throw Unexpected("a finding") }
    // The barrier that is due falls before what it needs passes it, since that would fall in turn.
    let due = Situation(ahead: [first], behind: [needed, second], barriers: [first, second])
    #expect(finding(due) == .fallBehind("second", ["first"]))
    let blocked = Situation(ahead: [needed], behind: [first, second], barriers: [first, second])
    #expect(finding(blocked) == .fallBehind("second", ["needed"]))

    // What is ahead of the other barrier depends on that, too, which cannot be passed so far.
    try await ahead.addDependency(first)
    try await second.addDependency(behind)
    other.situation.mayPass = false
    guard case .nothing = other.analyse().finding else { throw Unexpected("a finding") }
    #expect(finding(due) == .pass(["needed"]))
    #expect(finding(blocked) == .nothing)
    other.leave()
    for operation in [first, second, needed, behind, ahead] { operation.finish() }
  }

  @Test("A barrier falls behind the second one that it depends on, where the way to the first is not known from there")
  func fallingBehindSecond() async throws {
    let (first, second, third) = (try await named("first"), try await named("second"), try await named("third"))
    let (pending, behind) = (try await named("pending"), try await named("behind"))
    let others = [
      other(ahead: try await named("ahead", after: second)),
      other(ahead: try await named("ahead of the other", after: third), behind: behind),
    ]
    for other in others {
      other.situation.ahead[0].enqueue(in: other.queue)
      guard case .nothing = other.analyse().finding else { throw Unexpected("a finding") }
    }
    // It is behind that barrier, and no turn has admitted it so far.
    pending.enqueue(in: others[0].queue)
    let passing = try await named("passing", after: behind)
    for operation in [first, second, third, passing] { operation.enqueue(in: queue) }
    try await first.addDependency(pending)
    try await first.addDependency(passing)
    let situation = Situation(ahead: [first], behind: [passing, second, third], barriers: [first, second, third])
    #expect(finding(situation) == .fallBehind("third", ["first"]))
    others.forEach { $0.leave() }
    for operation in [first, second, third, passing, pending, behind] + others.map(\.situation.ahead[0]) {
      operation.finish()
    }
  }

  @Test("A wait for everything in another queue is no deadlock: that queue is told once all there waits for the body")
  func everything() async throws {
    let (a, b, c, d) = (try await named("a"), try await named("b"), try await named("c"), try await named("d"))
    d.enqueue(in: queue)
    let other = other(ahead: a, behind: b)
    var third = Other()
    let inThird = try await named("in third", after: b)
    inThird.enqueue(in: third.queue)
    // c waits for everything in the third queue, of which one depends on b. b is behind a, which awaits d, which is behind c.
    let waits = [
      try other.tests.begin(a, waitingFor: .operations([d])), try begin(c, waitingFor: .all(of: third.queue)),
    ]
    third.situation = Situation(hasBarrier: false, ahead: [inThird], wholeQueueWaits: [waits[1]])
    let scope = FakeQueue()
    let scopeWait = try begin(try await named("scope"), waitingFor: .scope(of: scope))

    let results = results(other.input, third.input, input(Situation(ahead: [c], behind: [d])))

    #expect(results.map(\.isNothing) == [true, true, true])
    #expect(results[2].isHoldKnown && results[2].queuesToTell.contains { $0 === third.queue })
    DependencyGraph.remove(waits[1], for: third.queue)
    DependencyGraph.remove(scopeWait, for: scope)
    end(scopeWait)
    for other in [other, third] { other.leave() }
    leave()
    waits.forEach(end)
    for operation in [inThird, b, d] { operation.finish() }
  }

  @Test("A queue in which something else is left is not told")
  func somethingElse() async throws {
    let (a, c, d) = (try await named("a"), try await named("c"), try await named("d"))
    d.enqueue(in: queue)
    var other = Other()
    let (dependent, running) = (try await named("dependent", after: d), try await named("running"))
    dependent.enqueue(in: other.queue)
    let waits = [
      try begin(c, waitingFor: .all(of: other.queue)), try begin(a, waitingFor: .all(of: other.queue)),
    ]
    other.situation = Situation(hasBarrier: false, ahead: [dependent, running], wholeQueueWaits: waits)
    func isTold() -> Bool {
      let results = results(other.input, input(Situation(ahead: [c], behind: [d])))
      leave()
      #expect(results[0].isNothing)
      return results[1].queuesToTell.contains { $0 === other.queue }
    }
    #expect(!isTold())
    other.situation.ahead = [dependent]
    #expect(isTold())
    other.situation.isQuiescent = false
    #expect(!isTold(), "it is not quiescent, and looks once it is")
    for wait in waits { DependencyGraph.remove(wait, for: other.queue) }
    other.leave()
    waits.forEach(end)
    for operation in [dependent, d] { operation.finish() }
  }

  @Test("A queue for which a body waits tells others of what is behind its barrier, whatever those ahead wait for")
  func behind() async throws {
    let (waiter, other) = (try await named("waiter"), try await named("other waiter"))
    var third = Other()
    let idle = try await named("idle")
    let (ahead, behind) = (try await named("ahead", after: idle), try await named("behind", after: other))
    let inThird = try await named("in third", after: waiter)
    inThird.enqueue(in: third.queue)
    behind.enqueue(in: queue)
    // The third one's waits for a body that waits for everything here, of which one waits for who waits for all of the third one.
    let waits = [
      try begin(waiter, waitingFor: .all(of: queue)), try begin(other, waitingFor: .all(of: third.queue)),
    ]
    third.situation = Situation(hasBarrier: false, ahead: [inThird], wholeQueueWaits: [waits[1]])
    let situation = Situation(ahead: [ahead], behind: [behind], wholeQueueWaits: [waits[0]])

    let results = results(third.input, input(situation))

    #expect(results[0].isNothing)
    #expect(results[1].queuesToTell.contains { $0 === third.queue })
    DependencyGraph.remove(waits[0], for: queue)
    DependencyGraph.remove(waits[1], for: third.queue)
    leave()
    third.leave()
    waits.forEach(end)
    for operation in [inThird, behind] { operation.finish() }
  }

  @Test("A wait for everything in another queue is not for what waits for the body there, whatever that holds up")
  func ownBarrier() async throws {
    let (body, waiting) = (try await named("body"), try await named("waiting"))
    let last = try await named("last", after: waiting)
    var other = Other()
    let wait = try other.tests.begin(body, waitingFor: .all(of: other.queue))
    last.enqueue(in: other.queue)
    other.situation = Situation(
      ahead: [body, try await named("running")], behind: [last], wholeQueueWaits: [wait])
    // This one awaits the body; `last`, behind the barrier there, awaits a body that waits for everything here.
    let ahead = try await named("ahead")
    let waits = [
      try begin(ahead, waitingFor: .operations([body])), try begin(waiting, waitingFor: .all(of: queue)),
    ]
    let situation = Situation(hasBarrier: false, ahead: [ahead, waiting], wholeQueueWaits: [waits[1]])
    #expect(finding(situation) == .nothing, "the other queue has not looked")
    guard case .nothing = other.analyse().finding else { throw Unexpected("a finding") }
    #expect(finding(situation) == .nothing)

    DependencyGraph.remove(wait, for: other.queue)
    DependencyGraph.remove(waits[1], for: queue)
    other.leave()
    ([wait] + waits).forEach(end)
    last.finish()
  }

  @Test("A scope is not cancelled since waits for everything elsewhere lead to its body: their queues end those")
  func scopeThroughWaitsForEverything() async throws {
    let (owner, first, second) = (try await named("owner"), try await named("first"), try await named("second"))
    let (inScope, between) = (try await named("in scope", after: first), try await named("between", after: second))
    let blocked = try await named("blocked", after: try await named("idle"))
    // The scope waits for the first body, that for what is in the other queue, that for the second one, and that for the owner.
    let elsewhere = Other()
    var (around, other) = (Other(), Other())
    inScope.enqueue(in: queue)
    between.enqueue(in: other.queue)
    let scopeWait = try around.tests.begin(owner, waitingFor: .scope(of: queue))
    let waits = [
      try elsewhere.tests.begin(first, waitingFor: .all(of: other.queue)),
      try elsewhere.tests.begin(second, waitingFor: .all(of: around.queue)),
    ]
    around.situation = Situation(hasBarrier: false, ahead: [owner], wholeQueueWaits: [waits[1]])
    other.situation = Situation(hasBarrier: false, ahead: [between, blocked], wholeQueueWaits: [waits[0]])
    let scope = Situation(hasBarrier: false, ahead: [inScope], scopeWait: scopeWait)

    let results = results(around.input, other.input, input(scope), around.input)

    #expect(results.map(\.isNothing) == [true, true, true, false])
    guard case .onlyWaitersLeft = results[3].finding else { throw Unexpected("another finding") }
    leave()
    DependencyGraph.remove(waits[0], for: other.queue)
    DependencyGraph.remove(waits[1], for: around.queue)
    for other in [around, other] { other.leave() }
    ([scopeWait] + waits).forEach(end)
    for operation in [inScope, between] { operation.finish() }
  }

  @Test("A cancelled barrier that is awaited is held up as any other")
  func cancelledBarrier() async throws {
    let (ahead, barrier) = (try await named("ahead"), try await named("barrier"))
    let (body, behind) = (try await named("body"), try await named("behind"))
    behind.enqueue(in: queue)
    barrier.cancel()
    var other = other(ahead: ahead, behind: barrier)
    other.situation.barriers = [barrier]
    let waits = [
      try begin(ahead, waitingFor: .operations([behind])), try begin(body, waitingFor: .operations([barrier])),
    ]
    guard case .nothing = other.analyse().finding else { throw Unexpected("a finding") }
    #expect(finding(Situation(ahead: [body], behind: [behind])) == .deadlock(["ahead", "behind"]))
    other.leave()
    waits.forEach(end)
    for operation in [behind, barrier] { operation.finish() }
  }

  @Test("A wait ahead that leads behind the barrier through a barrier elsewhere could never end")
  func throughBarrierCall() async throws {
    let (behind, elsewhere) = (try await named("behind"), try await named("elsewhere"))
    let (body, other) = (try await named("body"), try await named("other"))
    let waits = [
      try begin(body, waitingFor: .operations([elsewhere])), try begin(other, waitingFor: .operations([behind])),
    ]
    DependencyGraph.withLock { state, _ in state.barrierCalls.insert(elsewhere.storage, after: [other.storage]) }

    #expect(finding(Situation(ahead: [body], behind: [behind])) == .deadlock(["other", "behind"]))

    DependencyGraph.remove(barrier: elsewhere.storage)
    #expect(finding(Situation(ahead: [body], behind: [behind])) == .nothing)
    waits.forEach(end)
  }
}

extension StallAnalysis.Result {
  fileprivate var isNothing: Bool { if case .nothing = finding { true } else { false } }
}
