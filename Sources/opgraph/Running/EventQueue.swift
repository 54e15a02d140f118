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
    /// Whether the reader is about to be resumed.
    var isDelivering = false
    var isFinished = false
    /// The bytes of outputs that the reader has not done with, by operation.
    var unread: [String: Int] = [:]
    /// What the reader is at: if an output, it is done with once the next event is asked for.
    var current: RunEvent?
  }

  private let state = Mutex(State())
  /// How much of the output of an operation may wait, in bytes.
  let outputLimit: Int
  private let deliver: @Sendable (@escaping @Sendable () -> Void) -> Void
  private let hasRoom: @Sendable (_ id: String) -> Void

  /// - Parameters:
  ///   - deliver: Calls its argument, now or soon. Waking the reader's thread costs more than all else here, so it should
  ///     be woken once for the events that come together: one command ends, and the next one starts.
  ///   - hasRoom: Called when the outputs of an operation, which had reached the limit, no longer do.
  init(
    outputLimit: Int = 1 << 20, deliver: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() },
    hasRoom: @escaping @Sendable (_ id: String) -> Void = { _ in }
  ) {
    self.outputLimit = outputLimit
    self.deliver = deliver
    self.hasRoom = hasRoom
  }

  /// The events for their only reader.
  var stream: AsyncStream<RunEvent> { AsyncStream { await self.next() } }

  func send(_ event: RunEvent) {
    update { $0.events.append(event) }
  }

  /// Sends an output, and returns whether there is room for more of that operation's.
  func send(output: [UInt8], of id: String) -> Bool {
    update { state in
      state.events.append(.output(id: id, output))
      let unread = state.unread[id, default: 0] + output.count
      state.unread[id] = unread
      return unread < outputLimit
    }
  }

  func finish() {
    update { $0.isFinished = true }
  }

  /// How many bytes of an operation's output the reader has not done with.
  func unread(of id: String) -> Int { state.withLock { $0.unread[id] ?? 0 } }

  /// The next event, once there is one; nil at the end.
  func next() async -> RunEvent? {
    if let id = state.withLock({ $0.releaseCurrent(limit: outputLimit) }) { hasRoom(id) }
    return await withCheckedContinuation { continuation in
      let event: RunEvent?? = state.withLock { state in
        let event = state.take()
        if event == nil { state.reader = continuation }
        return event
      }
      if let event { continuation.resume(returning: event) }
    }
  }

  /// Adds something, and has the reader resumed if it waits.
  private func update<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    let (result, isToBeDelivered) = state.withLock { state in
      let result = body(&state)
      guard state.reader != nil, !state.isDelivering else { return (result, false) }
      state.isDelivering = true
      return (result, true)
    }
    if isToBeDelivered { deliver(resumeReader) }
    return result
  }

  private func resumeReader() {
    let (reader, event) = state.withLock { state in
      state.isDelivering = false
      return (exchange(&state.reader, with: nil), state.take())
    }
    guard let reader, let event else { preconditionFailure("a reader is resumed where there is something for it") }
    reader.resume(returning: event)
  }
}

extension EventQueue.State {
  /// The next event, or nil at the end; nothing if that is still to come.
  fileprivate mutating func take() -> RunEvent?? {
    guard first < events.count else { return isFinished ? .some(nil) : nil }
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
    return .some(current)
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
