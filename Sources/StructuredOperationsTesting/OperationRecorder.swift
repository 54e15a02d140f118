import StructuredOperations

/// Who ran, in which order, and who ran at the same time.
///
/// ```swift
/// let recorder = OperationRecorder<String>()
/// let parse = AsyncOperation { await recorder.record("parse") { await parse(page) } }
/// …
/// #expect(recorder.ran("fetch", before: "parse"))
/// #expect(recorder.peak <= 2)
/// ```
///
/// Bodies tell it when they begin and end, from any thread. What is recorded lies within what the operation does, so
/// ``peak`` is never above the true number.
public final class OperationRecorder<ID: Hashable & Sendable>: Sendable {
  /// Something that happened.
  public enum Event: Hashable, Sendable {
    /// It began.
    case began(ID)
    /// It ended.
    case ended(ID)
  }

  private struct History: Sendable {
    var events: [Event] = []
    /// How often each runs at present.
    var running: [ID: Int] = [:]
    var runningCount = 0
    var peak = 0
  }

  private let history = Guarded(History())

  /// Makes a recorder of nothing.
  public init() {}

  // MARK: Recording

  /// Records that something begins.
  public func begin(_ id: ID) {
    history.withLock { history in
      history.events.append(.began(id))
      history.running[id, default: 0] += 1
      history.runningCount += 1
      history.peak = max(history.peak, history.runningCount)
    }
  }

  /// Records that something ends that has begun.
  public func end(_ id: ID) {
    history.withLock { history in
      guard let count = history.running[id] else { preconditionFailure("\(id) ended without having begun") }
      history.events.append(.ended(id))
      history.running[id] = count == 1 ? nil : count - 1
      history.runningCount -= 1
    }
  }

  /// Records something that begins and ends at once.
  public func note(_ id: ID) {
    begin(id)
    end(id)
  }

  /// Records a synchronous stretch.
  ///
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  public func record<Result>(_ id: ID, _ body: () throws -> Result) rethrows -> Result {
    begin(id)
    defer { end(id) }
    return try body()
  }

  /// Records an asynchronous stretch.
  ///
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  public nonisolated(nonsending) func record<Result>(
    _ id: ID,
    _ body: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    begin(id)
    defer { end(id) }
    return try await body()
  }

  // MARK: What was recorded

  /// Everything, in order.
  public var events: [Event] { history.withLock { $0.events } }

  /// Those that began, in order.
  public var begun: [ID] {
    events.compactMap { event in
      if case .began(let id) = event { id } else { nil }
    }
  }

  /// Those that ended, in order.
  public var ended: [ID] {
    events.compactMap { event in
      if case .ended(let id) = event { id } else { nil }
    }
  }

  /// Those that run at present.
  public var running: Set<ID> { history.withLock { Set($0.running.keys) } }

  /// How many ran at a time at most.
  public var peak: Int { history.withLock { $0.peak } }

  /// Who ran after each event.
  ///
  /// O(events × peak).
  public var runningSets: [Set<ID>] {
    var running: [ID: Int] = [:]
    return events.map { event in
      switch event {
      case .began(let id): running[id, default: 0] += 1
      case .ended(let id): running[id] = running[id].flatMap { $0 == 1 ? nil : $0 - 1 }
      }
      return Set(running.keys)
    }
  }

  /// Whether one had ended for the last time before another began for the first time.
  ///
  /// False where one of them has not got that far.
  public func ran(_ one: ID, before other: ID) -> Bool {
    let events = events
    guard let end = events.lastIndex(of: .ended(one)), let beginning = events.firstIndex(of: .began(other)) else {
      return false
    }
    let lastBeginning = events.lastIndex(of: .began(one)) ?? end
    return end < beginning && lastBeginning < end
  }

  /// Whether two ever ran at the same time.
  public func overlapped(_ one: ID, _ other: ID) -> Bool {
    runningSets.contains { $0.contains(one) && $0.contains(other) }
  }
}
