import Testing

@testable import opgraph

@Suite("StartPolicy")
struct StartPolicyTests {
  @Test("Nothing may start after the failure that the limit names, which is told once", arguments: [1, 2, 5])
  func limit(limit: Int) {
    var policy = StartPolicy(failureLimit: limit)
    // Including one that was running when the limit was reached.
    let answers = (1...limit + 1).map { _ in (policy.failed(), policy.mayStart) }
    #expect(answers.map(\.0) == (1...limit + 1).map { $0 == limit })
    #expect(answers.map(\.1) == (1...limit + 1).map { $0 < limit })
    #expect(policy.stopReason == .failureLimit)
  }

  @Test("Without a limit failures stop nothing")
  func unlimited() {
    var policy = StartPolicy(failureLimit: nil)
    let answers = (1...100).map { _ in policy.failed() }
    #expect(!answers.contains(true))
    #expect(policy.mayStart)
  }

  @Test("Nothing may start once stopped")
  func stop() {
    var policy = StartPolicy(failureLimit: nil)
    policy.stop()
    #expect(!policy.mayStart)
    #expect(policy.stopReason == .cancelled)
  }

  @Test("What stopped the run first is the reason")
  func reason() {
    var policy = StartPolicy(failureLimit: 1)
    #expect(policy.stopReason == nil)
    _ = policy.failed()
    policy.stop()
    #expect(policy.stopReason == .failureLimit)

    policy = StartPolicy(failureLimit: 1)
    policy.stop()
    // Its command had failed before the signal came to it, and nothing is left to be stopped.
    let isStop = policy.failed()
    #expect(!isStop)
    #expect(policy.stopReason == .cancelled)
  }

  @Test("A lack is waited out only while something runs whose end may help")
  func shortage() {
    var policy = StartPolicy(failureLimit: 1)
    #expect(policy.lacked() == .fail)
    policy.started()
    policy.started()
    policy.ended()
    #expect(policy.lacked() == .wait)
    policy.ended()
    #expect(policy.lacked() == .fail)
  }
}
