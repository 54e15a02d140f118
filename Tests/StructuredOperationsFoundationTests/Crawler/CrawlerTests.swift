import Foundation
import StructuredOperations
import StructuredOperationsTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The crawler of the article "Retries, rates, time-outs", with real requests.
@Suite("A crawler and a real server", .timeLimit(.minutes(15)), .hangGuard)
struct CrawlerTests {
  @Test("At most 2 requests of a host and 8 of all are under way, at the rate; what is refused or hangs is tried again")
  func crawl() async throws {
    let server = try LocalServer(hosts: 6)
    defer { server.close() }
    let paths = (0..<6).map { "/page/\($0)" } + ["/busy/0", "/hung/0"]
    let pages = Dictionary(uniqueKeysWithValues: server.ports.map { ($0, paths) })
    let start = ContinuousClock.now

    // Time-outs go by a clock of the test: on a busy machine any request may take long.
    let clock = VirtualClock()
    let operations = await crawl(pages, rate: OperationStartRate(20, per: .milliseconds(300)), clock)
    #expect(
      await eventually(within: .seconds(600)) { operations.count { !$0.isFinished } == 6 && server.count.hung == 6 })
    clock.advance(by: .seconds(5))
    var texts: [String] = []
    for operation in operations { texts.append(try await operation.value) }

    let expected = server.ports.flatMap { port in paths.map { "\(port)\($0)" } }
    #expect(texts.sorted() == expected.sorted())
    let count = server.count
    #expect(count.peaks.values.max() == 2)
    #expect(count.totalPeak <= 8 && count.totalPeak > 2)
    for (path, requests) in count.requests { #expect(requests == (path.contains("/page/") ? 1 : 2), "\(path)") }
    // 48 pages at 20 in 300 ms: two such stretches lie between the first and the last.
    #expect(ContinuousClock.now - start >= .milliseconds(600))
  }

  private func crawl(
    _ pages: [Int: [String]],
    rate: OperationStartRate,
    _ clock: VirtualClock
  ) async -> [AsyncOperation<String>] {
    let queue = AsyncOperationQueue(name: "crawler", maxConcurrentOperationCount: 8, startRate: rate)
    let policy = OperationRetryPolicy.exponential(from: .milliseconds(20), upTo: .seconds(1), attempts: 4, jitter: 0.2)
    var operations: [AsyncOperation<String>] = []
    for (port, paths) in pages {
      let connections = ConcurrencyLimit(2, name: "port \(port)")
      for path in paths {
        let operation = await queue.add(name: path, limits: [connections]) {
          try await withOperationRetry(policy) {
            try await withOperationTimeout(.seconds(5), clock: clock) { try await Self.fetch(port, path) }
          }
        }
        operations.append(operation)
      }
    }
    return operations
  }

  /// A session for each request: one that is shared would keep limits of its own.
  @concurrent
  private static func fetch(_ port: Int, _ path: String) async throws -> String {
    guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { throw Failure() }
    let session = URLSession(configuration: .ephemeral)
    defer { session.finishTasksAndInvalidate() }
    let (data, response) = try await session.data(from: url)
    guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw Failure() }
    return String(decoding: data, as: UTF8.self)
  }
}
