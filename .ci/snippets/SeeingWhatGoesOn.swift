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
  func startAnySpan(_ operationName: String, context: @autoclosure () -> ServiceContext) -> any Span
}

struct ServiceContext {
  static let topLevel = ServiceContext()
  @TaskLocal static var current: ServiceContext?
}
protocol Service: Sendable {
  func run() async throws
}
func gracefulShutdown() async throws {}
