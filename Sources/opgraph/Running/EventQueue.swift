import Synchronization

/// The events of a run on their way to the report.
///
/// It has no bound, because a run sends few events; only the outputs that are shown as they come have one for each
/// operation, since a reader can be slower than a command for as long as that runs.
final class EventQueue: Sendable {
  fileprivate struct State {
    /// In order; those before `first` have been taken.
    var events: [RunEvent] = []
    var first = 0
    var reader: CheckedContinuation<RunEvent?, Never>?
    var isFinished = false
    /// The bytes of outputs that the reader has not done with, by operation.
    var unread: [String: Int] = [:]
    /// What the reader is at: if an output, it is done with once the next event is asked for.
    var current: RunEvent?
  }

  private let state = Mutex(State())
  /// How much of the output of an operation may wait, in bytes.
  let outputLimit: Int
  private let hasRoom: @Sendable (_ id: String) -> Void

  /// - Parameter hasRoom: Called when the outputs of an operation, which had reached the limit, no longer do.
  init(outputLimit: Int = 1 << 20, hasRoom: @escaping @Sendable (_ id: String) -> Void = { _ in }) {
    self.outputLimit = outputLimit
    self.hasRoom = hasRoom
  }

  /// The events for their only reader.
  var stream: AsyncStream<RunEvent> { AsyncStream { await self.next() } }

  func send(_ event: RunEvent) {
    let reader = state.withLock { $0.put(event) }
    reader?.resume(returning: event)
  }

  /// Sends an output, and returns whether there is room for more of that operation's.
  func send(output: [UInt8], of id: String) -> Bool {
    let event = RunEvent.output(id: id, output)
    let (reader, hasRoom) = state.withLock { state in
      let unread = state.unread[id, default: 0] + output.count
      state.unread[id] = unread
      return (state.put(event), unread < outputLimit)
    }
    reader?.resume(returning: event)
    return hasRoom
  }

  /// How many bytes of an operation's output the reader has not done with.
  func unread(of id: String) -> Int { state.withLock { $0.unread[id] ?? 0 } }

  func finish() {
    let reader = state.withLock { state in
      state.isFinished = true
      return exchange(&state.reader, with: nil)
    }
    reader?.resume(returning: nil)
  }

  /// The next event, once there is one; nil at the end.
  func next() async -> RunEvent? {
    if let id = state.withLock({ $0.releaseCurrent(limit: outputLimit) }) { hasRoom(id) }
    return await withCheckedContinuation { continuation in
      let event: RunEvent?? = state.withLock { state in
        if let event = state.take() { return event }
        if state.isFinished { return .some(nil) }
        state.reader = continuation
        return nil
      }
      if let event { continuation.resume(returning: event) }
    }
  }
}

extension EventQueue.State {
  /// Returns the reader if it waits; the event is then for it to have.
  fileprivate mutating func put(_ event: RunEvent) -> CheckedContinuation<RunEvent?, Never>? {
    guard let reader = exchange(&reader, with: nil) else {
      events.append(event)
      return nil
    }
    current = event
    return reader
  }

  fileprivate mutating func take() -> RunEvent? {
    guard first < events.count else { return nil }
    current = events[first]
    first += 1
    if first == events.count {
      events.removeAll(keepingCapacity: true)
      first = 0
    } else if first >= 1024, 2 * first >= events.count {
      // Frees what has been taken, without moving the others at each step.
      events.removeFirst(first)
      first = 0
    }
    return current
  }

  /// Ends what the reader is at, and returns the operation whose outputs no longer reach the limit.
  fileprivate mutating func releaseCurrent(limit: Int) -> String? {
    guard case .output(let id, let bytes) = exchange(&current, with: nil), let unread = self.unread[id] else {
      return nil
    }
    self.unread[id] = unread == bytes.count ? nil : unread - bytes.count
    return unread >= limit && unread - bytes.count < limit ? id : nil
  }
}
