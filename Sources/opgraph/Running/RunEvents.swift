import Dispatch
import Synchronization

/// The events of a run on their way to the one thread that prints them, which takes all that are there at once.
///
/// An `AsyncStream` gives them one by one, and does not tell whether there is another: each would be a write of its own.
///
/// It has no bound, because a run sends few events. An output that is printed when its command has ended takes up to 16 KB
/// of memory until then, and the rest of it is in a file (``CommandOutput``): a thousand of them behind a reader that does
/// not read take 16 MB. Outputs that are shown as they come have a bound for each command, and what a pipe holds beside it, since a
/// reader can be slower than a command for as long as that runs.
final class RunEvents: Sendable {
  /// An event, and when it was sent: the reader may come to it much later.
  struct Entry: Sendable {
    let event: RunEvent
    let time: ContinuousClock.Instant
  }

  fileprivate enum Awaited {
    case nothing, event
    /// The end, or an output that may not grow any more.
    case endOrFullOutput
  }

  fileprivate struct State {
    var events: [Entry] = []
    /// Nil until the events have ended.
    var end: ContinuousClock.Instant?
    var awaited = Awaited.nothing
    /// The bytes of outputs that the reader has not done with, by operation.
    var unread: [String: Int] = [:]
    /// Those of them that it has taken.
    var current: [String: Int] = [:]
    /// Whether an output among the events has reached the limit.
    var isFull = false

    func isThere(_ awaited: Awaited) -> Bool {
      switch awaited {
      case .nothing: true
      case .event: end != nil || !events.isEmpty
      case .endOrFullOutput: end != nil || isFull
      }
    }
  }

  private let state = Mutex(State())
  /// May be signalled once too often, since a wait can end by itself just before: the state is looked at after each.
  private let news = DispatchSemaphore(value: 0)
  /// How much of the output of an operation may wait, in bytes.
  let outputLimit: Int
  private let hasRoom: @Sendable (_ id: String) -> Void

  /// - Parameter hasRoom: Called when the outputs of an operation, which had reached the limit, no longer do.
  init(outputLimit: Int = 1 << 20, hasRoom: @escaping @Sendable (_ id: String) -> Void = { _ in }) {
    self.outputLimit = outputLimit
    self.hasRoom = hasRoom
  }

  func send(_ event: RunEvent, at time: ContinuousClock.Instant = .now) {
    update { $0.events.append(Entry(event: event, time: time)) }
  }

  /// Sends an output, and returns whether there is room for more of that operation's.
  func send(output: [UInt8], of id: String) -> Bool {
    update { state in
      state.events.append(Entry(event: .output(id: id, output), time: .now))
      let unread = state.unread[id, default: 0] + output.count
      state.unread[id] = unread
      if unread >= outputLimit { state.isFull = true }
      return unread < outputLimit
    }
  }

  /// Ends the events; those that are there can still be taken.
  func finish(at time: ContinuousClock.Instant = .now) {
    update { $0.end = time }
  }

  /// When the events ended; nil until then.
  var end: ContinuousClock.Instant? { state.withLock { $0.end } }

  /// How many bytes of an operation's output the reader has not done with.
  func unread(of id: String) -> Int { state.withLock { $0.unread[id] ?? 0 } }

  /// Waits for events until the deadline, and takes all there are; nil after the last one.
  ///
  /// To be called by one thread, which it blocks, and which has done with what it took before.
  ///
  /// - Parameter pause: For how long the events gather, unless they end before, or an output reaches the limit.
  func next(after pause: Duration, before deadline: ContinuousClock.Instant?) -> [Entry]? {
    for id in state.withLock({ $0.releaseCurrent(limit: outputLimit) }) { hasRoom(id) }
    let start = ContinuousClock.now
    wait(for: .endOrFullOutput, until: start + pause)
    wait(for: .event, until: deadline)
    return state.withLock { state in
      if state.events.isEmpty, state.end != nil { return nil }
      state.current = state.unread
      state.isFull = false
      return exchange(&state.events, with: [])
    }
  }

  /// Adds something, and wakes the reader if that is what it waits for.
  private func update<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    let (result, isAwaited) = state.withLock { state in
      let result = body(&state)
      guard state.awaited != .nothing, state.isThere(state.awaited) else { return (result, false) }
      state.awaited = .nothing
      return (result, true)
    }
    if isAwaited { news.signal() }
    return result
  }

  private func wait(for awaited: Awaited, until deadline: ContinuousClock.Instant?) {
    while true {
      let isThere = state.withLock { state in
        let isThere = state.isThere(awaited)
        state.awaited = isThere ? .nothing : awaited
        return isThere
      }
      if isThere { return }
      guard let deadline else {
        news.wait()
        continue
      }
      let rest = ContinuousClock.now.duration(to: deadline)
      guard rest > .zero else { return state.withLock { $0.awaited = .nothing } }
      _ = news.wait(timeout: .now() + .nanoseconds(Int(rest / .nanoseconds(1))))
    }
  }
}

extension RunEvents.State {
  /// Ends what the reader is at, and returns the operations whose outputs no longer reach the limit.
  fileprivate mutating func releaseCurrent(limit: Int) -> [String] {
    exchange(&current, with: [:]).compactMap { id, bytes in
      let before = unread[id] ?? 0
      unread[id] = before == bytes ? nil : before - bytes
      return before >= limit && before - bytes < limit ? id : nil
    }
  }
}
