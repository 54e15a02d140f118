// What the code of the articles with recipes takes as given.

import StructuredOperations

struct Data: Sendable {}
struct Image: Sendable {}
struct Page: Sendable {
  var style = Data()
  var images: [Image] = []
}

struct WrongAddress: Error {}

nonisolated func fetch(_ url: String) async throws -> Data { Data() }
@discardableResult
nonisolated func send(_ data: Data) async throws -> Data { data }
nonisolated func render(_ data: Data) throws -> Image { Image() }
nonisolated func prepare(_ data: Data) -> Data { data }
nonisolated func load(_ key: String) throws -> Data { Data() }
nonisolated func store(_ data: Data, _ key: String) throws {}
nonisolated func verify(_ key: String) throws {}
nonisolated func compact() throws -> Int { 0 }
nonisolated func compile(_ target: String) async throws -> Data { Data() }
nonisolated func link(_ objects: Data) throws -> Data { objects }
nonisolated func index(_ data: Data) {}
nonisolated func removeTemporaryFiles() {}

// What swift-log, swift-metrics, swift-distributed-tracing and swift-service-lifecycle have by these names.

struct Logger: Sendable {
  func debug(_ message: @autoclosure () -> String, metadata: @autoclosure () -> [String: String]?) {}
}
final class Counter: Sendable {
  init(label: String) {}
  func increment() {}
}
final class Timer: Sendable {
  init(label: String) {}
  func record(duration: Duration) {}
}
protocol Span: Sendable {
  func addEvent(_ name: String)
  func recordError(_ error: any Error)
  func end()
}
protocol Tracer: Sendable {
  func startAnySpan(_ operationName: String) -> any Span
}
protocol Service: Sendable {
  func run() async throws
}
nonisolated func gracefulShutdown() async throws {}
