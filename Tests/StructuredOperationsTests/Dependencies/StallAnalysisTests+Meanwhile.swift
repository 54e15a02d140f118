import TestSupport
import Testing

@testable import StructuredOperations

// Waits that are cancelled while a queue is analysed.
extension StallAnalysisTests {
  /// Cancels a wait as soon as the analysis has asked a number of questions.
  ///
  /// - Parameter isCancelled: Becomes true then.
  private func cancel(
    _ wait: BodyWait,
    after count: Int,
    _ isCancelled: Locked<Bool> = Locked(false)
  ) -> @Sendable () -> Void {
    let asked = Locked(0)
    return {
      let isDue = asked.withLock { asked in
        defer { asked += 1 }
        return asked == count
      }
      if isDue {
        isCancelled.withLock { $0 = true }
        wait.cancel()
      }
    }
  }

  private static let moments = 0..<12

  @Test(
    "A wait of the loop that is cancelled during the analysis ends no other one, and another loop is found",
    arguments: moments,
    [0, 1])
  func cancelledMeanwhile(moment: Int, cancelled: Int) async throws {
    let names = ["a", "b", "c", "d"]
    var bodies: [AsyncOperation<Void>] = []
    for name in names { bodies.append(try await named(name)) }
    let behind = try await named("behind")
    // a waits for c, c for what is behind the barrier.
    var waits = try [
      begin(bodies[0], waitingFor: .operations([bodies[2]])), begin(bodies[2], waitingFor: .operations([behind])),
    ]
    var situation = Situation(ahead: [bodies[0], bodies[1]], behind: [behind])
    var isCancelled = Locked(false)
    situation.meanwhile = cancel(waits[cancelled], after: moment, isCancelled)
    let first = finding(situation)
    #expect(first == (isCancelled.current ? .nothing : .deadlock(["c", "behind"])))
    waits.forEach(end)

    for body in [0, 2] { bodies[body] = try await named(names[body]) }
    // Besides, b waits for d, and d for the same.
    waits = try [
      begin(bodies[0], waitingFor: .operations([bodies[2]])), begin(bodies[2], waitingFor: .operations([behind])),
    ]
    waits += try [
      begin(bodies[1], waitingFor: .operations([bodies[3]])), begin(bodies[3], waitingFor: .operations([behind])),
    ]
    situation.ahead = [bodies[0], bodies[1]]
    isCancelled = Locked(false)
    situation.meanwhile = cancel(waits[cancelled], after: moment, isCancelled)
    let second = finding(situation)
    #expect(second == .deadlock([isCancelled.current ? "d" : "c", "behind"]))
    waits.forEach(end)
  }

  @Test(
    "What waits for a waiter through a wait that is cancelled during the analysis is not taken for left, in a scope or not",
    arguments: moments, [false, true])
  func notLeftMeanwhile(moment: Int, isScope: Bool) async throws {
    let (waiter, body, between) = (try await named("waiter"), try await named("body"), try await named("between"))
    let waits = try [
      begin(between, waitingFor: .operations([waiter])), begin(body, waitingFor: .operations([between])),
      begin(waiter, waitingFor: isScope ? .scope(of: queue) : .all(of: queue)),
    ]
    var situation = Situation(ahead: isScope ? [body] : [body, waiter])
    if isScope { situation.scopeWait = waits[2] } else { situation.wholeQueueWaits = [waits[2]] }
    // Without a scope that of the body that is asked for last: what is cancelled once it has been asked for comes too late.
    let cancelled = waits[isScope ? 0 : 1]
    let isCancelled = Locked(false)
    situation.meanwhile = cancel(cancelled, after: moment, isCancelled)

    let found = finding(situation)

    if isCancelled.current {
      #expect(found == .nothing)
    } else {
      #expect(found == (isScope ? .deadlock(["between", "waiter"]) : .onlyWaitersLeft))
    }
    waits.forEach(end)
  }

  @Test(
    "The body whose wait was cancelled during the analysis may close the loop again: the queue is told, and finds it")
  func foundAfterwards() async throws {
    let (behind, body, between) = (try await named("behind"), try await named("body"), try await named("between"))
    let context = try between.begin(in: queue)
    let cancelled = context.wait(for: .operations([behind]), in: queue)
    #expect(DependencyGraph.begin(cancelled) == nil)
    let wait = try begin(body, waitingFor: .operations([between]))
    var situation = Situation(ahead: [body], behind: [behind])
    situation.meanwhile = cancel(cancelled, after: 0)
    guard case .nothing = DependencyGraph.analyse(input(situation)).finding else { throw Unexpected("a finding") }
    #expect(!queue.messages.contains(.graphChanged))

    let again = context.wait(for: .operations([behind]), in: queue)
    #expect(DependencyGraph.begin(again) == nil)

    #expect(queue.messages.contains(.graphChanged))
    #expect(finding(situation) == .deadlock(["between", "behind"]))
    for wait in [wait, again] { end(wait) }
  }

  @Test(
    "A path has a last wait only as long as all of its operations wait: to begin, or in their bodies", arguments: 0..<4)
  func brokenPath(ended: Int) async throws {
    let awaited = try await named("awaited")
    let bodies = [try await named("0"), try await named("1")]
    let path = [bodies[0], try await named("2", after: bodies[1]), bodies[1], try await named("3", after: awaited)]
    let waits = try [
      begin(bodies[0], waitingFor: .operations([path[1]])), begin(bodies[1], waitingFor: .operations([path[3]])),
    ]
    func lastWait() throws -> (index: Int, wait: BodyWait)? {
      var releases = DeferredReleases()
      return try path.map(\.storage).lastWait(&releases)
    }
    #expect(try lastWait()?.wait === waits[1] && lastWait()?.index == 2)

    if ended.isMultiple(of: 2) { waits[ended / 2].cancel() } else { path[ended].cancel() }

    #expect(throws: BrokenPath.self) { try lastWait() }
    waits.forEach(end)
  }
}
