import TestSupport

/// What the recipes need of swift-log, swift-metrics, swift-distributed-tracing and swift-service-lifecycle, by the names that it
/// has there.
struct Logger: Sendable {
  typealias Metadata = [String: String]

  let lines = Locked<[String]>([])

  func debug(_ message: @autoclosure () -> String, metadata: @autoclosure () -> Metadata?) {
    let text = (metadata() ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    let line = "\(message()) \(text)"
    lines.withLock { $0.append(line) }
  }
}

final class Counter: Sendable {
  let value = Locked<Int64>(0)

  init(label: String) {}

  func increment() { value.withLock { $0 += 1 } }
}

final class Timer: Sendable {
  let recorded = Locked<[Duration]>([])

  init(label: String) {}

  func record(duration: Duration) { recorded.withLock { $0.append(duration) } }
}

protocol Span: Sendable {
  func addEvent(_ name: String)
  func recordError(_ error: any Error)
  func end()
}

protocol Tracer: Sendable {
  func startAnySpan(_ operationName: String, context: @autoclosure () -> ServiceContext) -> any Span
}

struct ServiceContext: Equatable {
  static let topLevel = ServiceContext(name: "top level")
  @TaskLocal static var current: ServiceContext?

  let name: String
}

protocol Service: Sendable {
  func run() async throws
}

/// Suspends until the service is to end, or its task is cancelled.
func gracefulShutdown() async throws {
  guard let gate = Shutdown.gate else { return }
  await withTaskCancellationHandler {
    await gate.wait()
  } onCancel: {
    gate.open()
  }
  try Task.checkCancellation()
}

enum Shutdown {
  @TaskLocal static var gate: Gate?
}
