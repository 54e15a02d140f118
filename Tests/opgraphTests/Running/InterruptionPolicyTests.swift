import Foundation
import Testing

@testable import opgraph

@Suite("InterruptionPolicy")
struct InterruptionPolicyTests {
  @Test("The first signal cancels, the second kills, a third leaves")
  func escalation() {
    var policy = InterruptionPolicy()
    policy.runBegan()
    #expect(policy.received(SIGINT) == .cancel)
    #expect(policy.received(SIGINT) == .kill)
    #expect(policy.received(SIGINT) == .exit(bySignal: SIGINT))
    #expect(policy.received(SIGINT) == .exit(bySignal: SIGINT))
  }

  @Test("Once all commands have ended, a signal leaves, also after others", arguments: 0...2)
  func runEnded(count: Int) {
    var policy = InterruptionPolicy()
    policy.runBegan()
    for _ in 0..<count { _ = policy.received(SIGTERM) }
    policy.runEnded()
    #expect(policy.graceEnded() == nil)
    #expect(policy.received(SIGTERM) == .exit(bySignal: SIGTERM))
  }

  @Test("The end of the grace period kills, and is no signal")
  func grace() {
    var policy = InterruptionPolicy()
    policy.runBegan()
    #expect(policy.received(SIGTERM) == .cancel)
    #expect(policy.graceEnded() == .kill)
    #expect(policy.graceEnded() == nil)
    #expect(policy.received(SIGTERM) == .kill)
    #expect(policy.graceEnded() == nil)
    #expect(policy.received(SIGTERM) == .exit(bySignal: SIGTERM))
  }

  @Test("The end of a grace period that a second signal was faster than does nothing")
  func lateGrace() {
    var policy = InterruptionPolicy()
    policy.runBegan()
    _ = policy.received(SIGINT)
    _ = policy.received(SIGINT)
    #expect(policy.graceEnded() == nil)
  }

  @Test(
    "A report that fails ends the commands as a signal does, and is none",
    arguments: [false, true])
  func report(isKilled: Bool) {
    var policy = InterruptionPolicy()
    #expect(policy.reportFailed() == nil)
    policy.runBegan()
    #expect(policy.reportFailed() == .cancel)
    #expect(policy.reportFailed() == nil)
    #expect(policy.firstSignal == nil)
    if isKilled { #expect(policy.graceEnded() == .kill) }
    #expect(policy.received(SIGINT) == .cancel)
    #expect(policy.reportFailed() == nil)
    #expect(policy.graceEnded() == (isKilled ? nil : .kill))
    #expect(policy.received(SIGINT) == .kill)
    #expect(policy.received(SIGINT) == .exit(bySignal: SIGINT))
  }

  @Test("Before anything runs there is nothing to wait for")
  func early() {
    var policy = InterruptionPolicy()
    #expect(policy.received(SIGTERM) == .exit(bySignal: SIGTERM))
  }

  @Test(
    "The program exits by the first signal",
    arguments: [
      ([], nil), ([SIGINT], SIGINT), ([SIGTERM], SIGTERM), ([SIGTERM, SIGINT], SIGTERM), ([SIGQUIT], SIGQUIT),
    ] as [([Int32], Int32?)])
  func first(signals: [Int32], first: Int32?) {
    var policy = InterruptionPolicy()
    for signal in signals { _ = policy.received(signal) }
    #expect(policy.firstSignal == first)
  }
}
