import Testing

@testable import StructuredOperations

/// What passes a barrier, and what falls behind one.
extension StallAnalysisTests {
  @Test("What those ahead of the barrier depend on passes, through any number of steps, in the order of the search")
  func pass() async throws {
    let (last, elsewhere) = (try await named("last"), AsyncOperation {})
    let between = try await named("between", after: last)
    let ahead = try await named("ahead", after: elsewhere, between)
    let other = try await named("other")
    let situation = Situation(ahead: [ahead], behind: [other, last, between])
    #expect(finding(situation) == .pass(["between", "last"]))
  }

  @Test("Operations pass although others execute, but not where they could not start")
  func mayPass() async throws {
    let late = try await named("late")
    let ahead = try await named("ahead", after: late)
    var situation = Situation(ahead: [ahead], behind: [late], mayPass: true, isQuiescent: false)
    #expect(finding(situation) == .pass(["late"]))
    situation.mayPass = false
    #expect(finding(situation) == .nothing)
    situation.isQuiescent = true
    #expect(finding(situation) == .nothing)
  }

  @Test("A barrier passes nothing: those ahead that depend on it fall behind; what it depends on passes")
  func barrierAwaited() async throws {
    let late = try await named("late")
    let barrier = try await named("barrier")
    let elsewhere = try await named("elsewhere", after: barrier)
    let ahead = [
      try await named("one", after: barrier), try await named("none"), try await named("two", after: elsewhere),
    ]
    var situation = Situation(ahead: ahead, behind: [barrier, late], barriers: [barrier], mayPass: false)
    #expect(finding(situation) == .fallBehind("barrier", ["one", "two"]))
    try await barrier.addDependency(late)
    situation.mayPass = true
    #expect(finding(situation) == .pass(["late"]))
    situation.behind = [barrier]
    #expect(finding(situation) == .fallBehind("barrier", ["one", "two"]))
  }

  @Test("What depends on a later barrier does not pass an earlier one, where it could not run")
  func throughLaterBarrier() async throws {
    let second = try await named("second")
    let between = try await named("between", after: second)
    let first = try await named("first", after: between)
    let situation = Situation(ahead: [first], behind: [second, between], barriers: [first, second])
    #expect(finding(situation) == .fallBehind("second", ["first"]))
    let ahead = try await named("ahead", after: between)
    #expect(
      finding(Situation(ahead: [ahead], behind: [first, between], barriers: [first, second]))
        == .pass(["between"]), "the second one is not held")
  }

  @Test("A barrier falls behind another one that it depends on, unless the queue is suspended")
  func barrierOfBarrier() async throws {
    let second = try await named("second")
    let first = try await named("first", after: second)
    var situation = Situation(ahead: [first], behind: [second], barriers: [first, second])
    #expect(finding(situation) == .fallBehind("second", ["first"]))
    situation.mayPass = false
    #expect(finding(situation) == .nothing, "it falls for good, so not before it could begin")
  }

  @Test("It falls behind the last one of a chain of barriers at once")
  func chainOfBarriers() async throws {
    var chain = [try await named("last")]
    for index in 1...3 { chain.append(try await named("\(index)", after: chain[index - 1])) }
    let situation = Situation(ahead: [chain[3]], behind: Array(chain[..<3]), barriers: chain)
    #expect(finding(situation) == .fallBehind("last", ["3"]))
  }

  @Test("A cancelled operation ahead of the barrier waits for nothing, so nothing passes for it")
  func cancelled() async throws {
    let late = try await named("late")
    let ahead = try await named("ahead", after: late)
    ahead.cancel()
    #expect(finding(Situation(ahead: [ahead], behind: [late])) == .nothing)
  }

  @Test("Where those ahead wait for something elsewhere there is nothing to find, and the queue watches")
  func nothing() async throws {
    let (elsewhere, last, other) = (AsyncOperation {}, AsyncOperation {}, AsyncOperation {})
    try await elsewhere.addDependency(last)
    let ahead = try await named("ahead", after: elsewhere)
    let behind = try await named("behind")

    let (finding, needs) = analyse(Situation(ahead: [ahead], behind: [behind]))

    #expect(finding == .nothing)
    for operation in [ahead, elsewhere, last] { #expect(needs.contains(operation.storage)) }
    for operation in [behind, other] { #expect(!needs.contains(operation.storage)) }
    #expect(queue.messages == [])
    _ = DependencyGraph.analyse(input(Situation(ahead: [ahead], behind: [behind])))
    try await last.addDependency(other)
    #expect(queue.messages == [.graphChanged])
  }
}
