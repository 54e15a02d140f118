/// Decides who sleeps on a virtual clock, and who is woken when time goes on.
struct SleeperStateMachine<Sleeper: Sendable, Observer: Sendable>: Sendable {
  typealias Instant = VirtualClock.Instant

  private struct Entry: Sendable {
    let id: Int
    let deadline: Instant
    let sleeper: Sleeper
  }

  private(set) var now = Instant(offset: .zero)
  /// In the order of waking: by deadline, then by number; all deadlines are later than `now`.
  private var entries: [Entry] = []
  private var nextID = 0
  /// Those that are about to sleep, or to wait for sleepers, and have not been cancelled.
  private var announced: Set<Int> = []
  /// Those who wait until so many sleep; more than sleep now.
  private var observers: [(id: Int, count: Int, observer: Observer)] = []

  var count: Int { entries.count }

  // MARK: Sleeping

  /// Somebody is about to sleep, or to wait; has to call ``sleep(_:until:_:)`` or ``awaitCount(_:_:_:)`` next.
  ///
  /// - Returns: The number of the sleep, or the wait, by which it can be cancelled from now on.
  mutating func announce() -> Int {
    defer { nextID += 1 }
    announced.insert(nextID)
    return nextID
  }

  /// What follows from ``sleep(_:until:_:)``.
  enum SleepAction: Sendable {
    /// The deadline is not in the future, or the sleep has been cancelled.
    case wake(Sleeper, isCancelled: Bool)
    /// Sleeps until it is woken; those are told who waited for that many sleepers.
    case sleep(tell: [Observer])
  }

  /// O(n) where others sleep longer.
  mutating func sleep(_ id: Int, until deadline: Instant, _ sleeper: Sleeper) -> SleepAction {
    if announced.remove(id) == nil { return .wake(sleeper, isCancelled: true) }
    if deadline <= now { return .wake(sleeper, isCancelled: false) }
    let entry = Entry(id: id, deadline: deadline, sleeper: sleeper)
    entries.insert(entry, at: firstIndex { ($0.deadline, $0.id) > (deadline, id) })
    return .sleep(tell: takeObservers())
  }

  /// - Returns: Whom to wake; nil if it sleeps no more, or not yet.
  mutating func cancel(_ id: Int, until deadline: Instant) -> Sleeper? {
    if announced.remove(id) != nil { return nil }
    let index = firstIndex { ($0.deadline, $0.id) >= (deadline, id) }
    guard index < entries.count, entries[index].id == id else { return nil }
    return entries.remove(at: index).sleeper
  }

  // MARK: Time

  /// - Returns: Whom to wake, in order.
  mutating func advance(by duration: Duration) -> [Sleeper] { advance(to: now.advanced(by: duration)) }

  /// - Returns: Whom to wake; nil if nobody sleeps.
  mutating func advanceToNext() -> [Sleeper]? { entries.first.map { advance(to: $0.deadline) } }

  private mutating func advance(to instant: Instant) -> [Sleeper] {
    now = instant
    let end = firstIndex { $0.deadline > instant }
    defer { entries.removeSubrange(..<end) }
    return entries[..<end].map(\.sleeper)
  }

  // MARK: Waiting for sleepers

  /// - Returns: Whether the observer is kept until so many sleep; false if they do already, or the wait has been cancelled.
  mutating func awaitCount(_ id: Int, _ count: Int, _ observer: Observer) -> Bool {
    if announced.remove(id) == nil || entries.count >= count { return false }
    observers.append((id, count, observer))
    return true
  }

  /// - Returns: Whom to tell; nil if it waits no more, or not yet.
  mutating func cancelAwaiting(_ id: Int) -> Observer? {
    if announced.remove(id) != nil { return nil }
    return observers.firstIndex { $0.id == id }.map { observers.remove(at: $0).observer }
  }

  private mutating func takeObservers() -> [Observer] {
    if observers.isEmpty { return [] }
    let count = entries.count
    defer { observers.removeAll { $0.count <= count } }
    return observers.filter { $0.count <= count }.map(\.observer)
  }

  /// The index of the first entry that satisfies a condition, as all after it do; the end if there is none.
  private func firstIndex(where isBehind: (Entry) -> Bool) -> Int {
    var range = entries.startIndex..<entries.endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = isBehind(entries[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return range.lowerBound
  }
}
