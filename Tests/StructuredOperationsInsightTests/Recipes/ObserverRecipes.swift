import StructuredOperations
import Synchronization

// The observers of the article "Seeing what goes on". `.ci/diagnostics` checks that its code is the same, line by line.

/// Logs what happens to operations.
struct OperationLog: OperationObserver {
  let logger: Logger

  func observe(_ event: OperationEvent) {
    logger.debug(
      "\(event.kind): \(event.operation)",
      metadata: ["queue": event.queue?.name ?? "none"])
  }
}

/// Counts the operations that have finished, and records how long their bodies took.
final class OperationMetrics: OperationObserver {
  let finished = Counter(label: "operations.finished")
  let durations = Timer(label: "operations.duration")
  private let starts = Mutex<
    [ObjectIdentifier: ContinuousClock.Instant]
  >([:])

  func observe(_ event: OperationEvent) {
    let id = ObjectIdentifier(event.operation)
    switch event.kind {
    case .started: starts.withLock { $0[id] = .now }
    case .finished:
      finished.increment()
      if let start = starts.withLock({
        $0.removeValue(forKey: id)
      }) {
        durations.record(duration: start.duration(to: .now))
      }
    default: break
    }
  }
}

/// How an operation went that has finished.
func ending(of operation: any OperationProtocol) -> String {
  switch operation.error {
  case nil: "succeeded"
  case is CancellationError where operation.isCancelled:
    "cancelled"
  case OperationError.dependencyFailed?: "skipped"
  default: "failed"
  }
}

/// Has a span for each operation that runs, from its start to its end.
final class OperationTracing: OperationObserver {
  private struct State {
    /// Of those that have not started: the context in which they
    /// were added.
    var contexts: [ObjectIdentifier: ServiceContext] = [:]
    var spans: [ObjectIdentifier: any Span] = [:]
  }

  private let tracer: any Tracer
  private let state = Mutex(State())

  init(_ tracer: any Tracer) { self.tracer = tracer }

  func observe(_ event: OperationEvent) {
    let id = ObjectIdentifier(event.operation)
    switch event.kind {
    case .added:
      state.withLock { $0.contexts[id] = ServiceContext.current }
    case .started:
      let context = state.withLock {
        $0.contexts.removeValue(forKey: id)
      }
      let span = tracer.startAnySpan(
        event.operation.name ?? "operation",
        context: context ?? ServiceContext.current ?? .topLevel)
      state.withLock { $0.spans[id] = span }
    case .waitBegan:
      state.withLock { $0.spans[id] }?.addEvent(
        "waits for \(event.cause?.name ?? "others")")
    case .waitEnded:
      state.withLock { $0.spans[id] }?.addEvent("goes on")
    case .cancelled:
      state.withLock { $0.spans[id] }?.addEvent("cancelled")
    case .finished:
      let span = state.withLock { state in
        state.contexts[id] = nil
        return state.spans.removeValue(forKey: id)
      }
      guard let span else { break }
      if let error = event.operation.error {
        span.recordError(error)
      }
      span.end()
    default: break
    }
  }
}

#if canImport(os)
  import os

  /// Shows the operations that run in Instruments.
  final class OperationSignposts: OperationObserver {
    private struct State {
      let signposter = OSSignposter(
        subsystem: "com.example.app", category: "operations")
      var open: [ObjectIdentifier: OSSignpostIntervalState] = [:]
    }

    private let state = Mutex(State())

    func observe(_ event: OperationEvent) {
      let id = ObjectIdentifier(event.operation)
      state.withLock { state in
        let signposter = state.signposter
        switch event.kind {
        case .started:
          state.open[id] = signposter.beginInterval(
            "operation", id: signposter.makeSignpostID(),
            "\(event.operation.description, privacy: .public)")
        case .finished:
          let interval = state.open.removeValue(forKey: id)
          if let interval {
            signposter.endInterval("operation", interval)
          }
        default: break
        }
      }
    }
  }
#endif

/// A queue that is closed when the program is to end, and finishes what it has, unless the service's task is cancelled.
struct QueueService: Service {
  let queue: AsyncOperationQueue

  func run() async throws {
    try? await gracefulShutdown()
    queue.close()
    for await _ in queue.states {}
    // What is left where the task of the service was cancelled.
    await queue.cancelAllOperations()
    await queue.resume()
    await queue.waitUntilAllOperationsAreFinished()
  }
}
