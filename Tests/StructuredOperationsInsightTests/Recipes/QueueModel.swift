import Observation
import StructuredOperations

// The list of the article "Seeing what goes on". `.ci/diagnostics` checks that its code is the same, line by line.

/// What a screen shows of a queue: a row for each operation, kept up to date by one observer and one task.
@MainActor @Observable
final class QueueModel {
  /// One line of a list.
  struct Row: Identifiable, Equatable {
    let id: ObjectIdentifier
    let name: String
    var state: OperationState
    var isCancelled = false
    var error: String?
  }

  private(set) var rows: [Row] = []
  /// The queue to add to.
  @ObservationIgnored nonisolated let queue: AsyncOperationQueue
  @ObservationIgnored
  private var positions: [ObjectIdentifier: Int] = [:]
  /// So that no other operation gets the identity of one that has a row.
  @ObservationIgnored
  private var operations: [any OperationProtocol] = []

  init(name: String, maxConcurrentOperationCount: Int) {
    let (events, continuation) = AsyncStream.makeStream(
      of: OperationEvent.self)
    queue = AsyncOperationQueue(
      name: name,
      maxConcurrentOperationCount: maxConcurrentOperationCount,
      observer: Feed(continuation: continuation))
    // Ends with the queue, and so with the model.
    Task { [weak self] in
      for await event in events { self?.apply(event) }
    }
  }

  private func apply(_ event: OperationEvent) {
    let operation = event.operation
    let id = ObjectIdentifier(operation)
    if event.kind == .added {
      positions[id] = rows.count
      operations.append(operation)
      rows.append(
        Row(
          id: id,
          name: operation.name ?? "Operation \(rows.count + 1)",
          state: .pending, isCancelled: operation.isCancelled))
    }
    guard let position = positions[id] else { return }
    var row = rows[position]
    switch event.kind {
    case .added, .blocked: row.state = .pending
    case .ready: row.state = .ready
    case .started, .waitBegan, .waitEnded: row.state = .executing
    case .cancelled: row.isCancelled = true
    case .finished:
      row.state = .finished
      row.error = operation.error.map { "\($0)" }
    }
    rows[position] = row
  }

  /// Hands events over to the main actor, in their order.
  private struct Feed: OperationObserver {
    let continuation: AsyncStream<OperationEvent>.Continuation

    func observe(_ event: OperationEvent) {
      continuation.yield(event)
    }
  }
}
