import Foundation
import Synchronization

@testable import opgraph

extension GraphExecution {
  /// Runs a graph to its end on the loop of the tests, and returns the events as lines.
  static func events(
    of graph: Graph, options: RunOptions = RunOptions(width: 4, failureLimit: nil),
    onEvent: @escaping @Sendable (GraphExecution, RunEvent) async throws -> Void = { _, _ in }
  ) async throws -> [String] {
    let execution = try await GraphExecution(graph, options: options, loop: .ofTests)
    async let end: Void = execution.run()
    var lines: [String] = []
    while let batch = await execution.events.nextBatch() {
      for event in batch {
        try await onEvent(execution, event)
        // Follows from the one before it.
        if case .resumed = event { continue }
        lines.append(event.line)
      }
    }
    await end
    return lines
  }
}

extension RunEvents {
  /// Has a thread of its own wait, which a test's may not.
  func nextBatch() async -> [RunEvent]? {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: self.next(after: .zero, before: nil)?.map(\.event)) }
    }
  }
}

extension RunEvent {
  /// Without times.
  var line: String {
    switch self {
    case .started(let id): "started \(id)"
    case .output(let id, let bytes): "output \(id): \(String(decoding: bytes, as: UTF8.self))"
    case .retrying(let id, let result, let attempt, let delay):
      "retrying \(id) after attempt \(attempt), \(result.ending), in \(delay)"
    case .resumed(let id): "resumed \(id)"
    case .ended(let id, let result):
      "\(result.verdict) \(id), \(result.ending)\(result.isFailureAllowed ? ", allowed" : "")"
        + (result.attempts > 1 ? ", \(result.attempts) attempts" : "")
    case .notRun(let id, let reason): "not run \(id), \(reason)"
    }
  }
}
