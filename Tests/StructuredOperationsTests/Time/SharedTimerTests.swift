import TestSupport
import Testing

@testable import StructuredOperations

@Suite("SharedTimer", .timeLimit(.minutes(15)), .hangGuard)
struct SharedTimerTests {
  private final class Client: SharedTimer.Client {
    let hasFired = Gate()

    func timerFired() { hasFired.open() }
  }

  @Test("A sleeper that has woken is followed by another one for what is left")
  func following() async {
    let timer = SharedTimer()
    let clients = (0..<3).map { _ in Client() }
    for (index, client) in clients.enumerated() {
      _ = timer.add(client, deadline: timer.elapsed + .milliseconds(5 * (index + 1)))
    }
    for client in clients { await client.hasFired.wait() }
    #expect(timer.scheduler.withLock { $0.entryCount } == 0)
  }
}
