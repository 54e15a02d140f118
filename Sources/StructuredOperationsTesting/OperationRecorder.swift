import StructuredOperations

/// A record of when operations, or parts of them, began and ended.
///
/// ```swift
/// let recorder = OperationRecorder<String>()
/// let fetch = AsyncOperation {
///   await recorder.record("fetch") { await Task.yield() }
/// }
/// let parse = AsyncOperation(after: fetch) {
///   recorder.note("parse")
/// }
/// await queue.addAndWait([fetch, parse])
/// #expect(recorder.ran("fetch", before: "parse"))
/// #expect(recorder.peak <= 2)
/// ```
///
/// Bodies report their begin and end to it, from any thread. Each recorded interval lies within the execution of its
/// operation, so ``peak`` is at most the number of operations that executed at the same time. Identifiers are hashed and compared
/// under the recorder's lock, so that must not use the recorder.
public final class OperationRecorder<ID: Hashable & Sendable>: Sendable {
  /// A recorded event.
  public enum Event: Hashable, Sendable {
    /// The begin of the interval with this identifier.
    case began(ID)
    /// The end of the interval with this identifier.
    case ended(ID)
  }

  private struct History: Sendable {
    var events: [Event] = []
    /// The number of open intervals of each identifier.
    var running: [ID: Int] = [:]
    var runningCount = 0
    var peak = 0
  }

  private let history = Guarded(History())

  /// Makes an empty recorder.
  public init() {}

  // MARK: Recording

  /// Records the begin of an interval.
  ///
  /// - Parameter id: The identifier of the interval.
  public func begin(_ id: ID) {
    history.withLock { history in
      history.events.append(.began(id))
      history.running[id, default: 0] += 1
      history.runningCount += 1
      history.peak = max(history.peak, history.runningCount)
    }
  }

  /// Records the end of an interval that has begun.
  ///
  /// - Parameter id: The identifier of the interval.
  public func end(_ id: ID) {
    history.withLock { history in
      // Not a precondition, whose message a release build would not print.
      guard let count = history.running[id] else { fatalError("\(id) ended without having begun") }
      history.events.append(.ended(id))
      history.running[id] = count == 1 ? nil : count - 1
      history.runningCount -= 1
    }
  }

  /// Records an interval that ends at once.
  ///
  /// - Parameter id: The identifier of the interval.
  public func note(_ id: ID) {
    begin(id)
    end(id)
  }

  /// Records the execution of a synchronous closure.
  ///
  /// - Parameters:
  ///   - id: The identifier of the interval.
  ///   - body: The closure.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure.
  public func record<Result>(_ id: ID, _ body: () throws -> Result) rethrows -> Result {
    begin(id)
    defer { end(id) }
    return try body()
  }

  /// Records the execution of an asynchronous closure.
  ///
  /// - Parameters:
  ///   - id: The identifier of the interval.
  ///   - body: The closure.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure.
  public nonisolated(nonsending) func record<Result>(
    _ id: ID,
    _ body: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    begin(id)
    defer { end(id) }
    return try await body()
  }

  // MARK: Queries

  /// All events, in order.
  public var events: [Event] { history.withLock { $0.events } }

  /// The identifiers of all begun intervals, in order.
  public var begun: [ID] {
    events.compactMap { event in
      if case .began(let id) = event { id } else { nil }
    }
  }

  /// The identifiers of all ended intervals, in order.
  public var ended: [ID] {
    events.compactMap { event in
      if case .ended(let id) = event { id } else { nil }
    }
  }

  /// The identifiers of open intervals.
  public var running: Set<ID> { history.withLock { Set($0.running.keys) } }

  /// The largest number of intervals that were open at the same time.
  public var peak: Int { history.withLock { $0.peak } }

  /// The identifiers of open intervals after each event.
  ///
  /// - Complexity: O(events × peak).
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

  /// Whether all intervals of one identifier ended before the first of another began.
  ///
  /// False if one has not ended or the other has not begun.
  ///
  /// - Parameters:
  ///   - one: The identifier of an interval.
  ///   - other: That of another one.
  public func ran(_ one: ID, before other: ID) -> Bool {
    let events = events
    guard let end = events.lastIndex(of: .ended(one)), let beginning = events.firstIndex(of: .began(other)) else {
      return false
    }
    let isOpen = events.count { $0 == .began(one) } > events.count { $0 == .ended(one) }
    return end < beginning && !isOpen
  }

  /// Whether intervals of two identifiers were ever open at the same time.
  ///
  /// Where both are the same, whether two intervals of that identifier were.
  ///
  /// - Parameters:
  ///   - one: The identifier of an interval.
  ///   - other: That of another one.
  /// - Complexity: O(events).
  public func overlapped(_ one: ID, _ other: ID) -> Bool {
    var openCounts: [ID: Int] = [:]
    return events.contains { event in
      switch event {
      case .began(let id): openCounts[id, default: 0] += 1
      case .ended(let id): openCounts[id, default: 0] -= 1
      }
      let (first, second) = (openCounts[one, default: 0], openCounts[other, default: 0])
      return one == other ? first > 1 : first > 0 && second > 0
    }
  }
}
