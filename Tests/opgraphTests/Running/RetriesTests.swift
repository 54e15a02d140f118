import Testing

@testable import opgraph

@Suite("Graph.Retries")
struct RetriesTests {
  @Test("Pauses grow up to the longest, and what is nothing does not grow", arguments: [1, 2, 3, 10, 2_000])
  func delays(attempt: Int) {
    var retries = Graph.Retries(attempts: 3_000, delay: .seconds(1), factor: 2, maximumDelay: .seconds(5))
    #expect(retries.delay(after: attempt) == .seconds([1, 2, 4].dropFirst(attempt - 1).first ?? 5))
    retries.delay = .zero
    #expect(retries.delay(after: attempt) == .zero)
  }
}
