import TestSupport
import Testing

@testable import opgraph

@Suite("Graph.Retries", .hangGuard, .timeLimit(.minutes(15)))
struct RetriesTests {
  @Test("Pauses grow up to the longest, and what is nothing does not grow", arguments: [1, 2, 3, 10, 2_000])
  func delays(attempt: Int) {
    var retries = Graph.Retries(attempts: 3_000, delay: .seconds(1), factor: 2, maximumDelay: .seconds(5))
    #expect(retries.delay(after: attempt) == .seconds([1, 2, 4].dropFirst(attempt - 1).first ?? 5))
    retries.delay = .zero
    #expect(retries.delay(after: attempt) == .zero)
  }

  @Test("Every attempt after the first is told as one that goes on", arguments: [0, 1])
  func resumed(milliseconds: Int) async throws {
    var bad = Graph.Node(id: "bad", run: "exit 7")
    bad.retries = Graph.Retries(attempts: 3, delay: .milliseconds(milliseconds))
    let told = Locked<[String]>([])
    _ = try await GraphExecution.events(of: Graph(nodes: [bad])) { _, event in
      switch event {
      case .started: told.append("started")
      case .retrying: told.append("retrying")
      case .resumed: told.append("resumed")
      case .output, .ended, .notRun: break
      }
    }
    #expect(told.current == ["started", "retrying", "resumed", "retrying", "resumed"])
  }
}
