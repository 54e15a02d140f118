/// Decides which of many entries are due, and when somebody has to look again.
///
/// Whoever looks again sleeps until then, and no sleep is ever cancelled. Example: an entry that is due in a minute needs a
/// sleeper. It is removed at once, as most are, and so are thousands that are added after it: none of them needs another
/// sleeper, since the first one wakes before they are due. It then finds what is left, and sleeps on for that. Only an
/// entry that is due before every sleeper wakes needs one more.
///
/// There is always a sleeper that wakes before the first entry is due, or then. Times are what has passed since the timer's
/// start.
struct TimerScheduler<Entry: Sendable>: Sendable {
  typealias ID = SlotMap<Entry>.ID

  private struct Item: Comparable, Sendable {
    let deadline: Duration
    let id: ID

    static func < (one: Self, other: Self) -> Bool {
      one.deadline == other.deadline ? one.id < other.id : one.deadline < other.deadline
    }
  }

  private var entries = SlotMap<Entry>()
  /// Those of the entries, and some of entries that were removed: about as many at most.
  private var items = BinaryHeap<Item>()
  /// When the sleepers wake, the first one last.
  private(set) var sleepers: [Duration] = []

  var entryCount: Int { entries.count }

  /// How many items the heap holds, of entries that were removed, too.
  var itemCount: Int { items.count }

  /// - Returns: A number by which the entry is removed, and when one more sleeper has to wake; nil if there are enough.
  mutating func add(
    _ entry: consuming Entry,
    deadline: Duration,
    now: @autoclosure () -> Duration
  ) -> (id: ID, newSleeper: Duration?) {
    let id = entries.insert(entry)
    items.insert(Item(deadline: deadline, id: id))
    return (id, newSleeper(now))
  }

  /// - Returns: The entry; nil where it was due before.
  mutating func remove(_ id: ID) -> Entry? {
    guard let entry = entries.removeValue(for: id) else { return nil }
    if items.count > 2 * entries.count + Self.spareItemCount {
      let entries = entries
      items.removeAll { !entries.contains($0.id) }
    }
    return entry
  }

  /// A sleeper has woken, perhaps late.
  ///
  /// - Parameter time: When it had to wake.
  /// - Returns: What is due, in the order of deadlines, and when one more sleeper has to wake; nil if there are enough.
  mutating func sleeperWoke(dueAt time: Duration, now: Duration) -> (due: [Entry], newSleeper: Duration?) {
    while let next = sleepers.last, next <= time { sleepers.removeLast() }
    var due: [Entry] = []
    while let item = items.first, item.deadline <= now || !entries.contains(item.id) {
      _ = items.popFirst()
      if let entry = entries.removeValue(for: item.id) { due.append(entry) }
    }
    return (due, newSleeper { now })
  }

  /// Adds a sleeper where none wakes before the first entry is due.
  ///
  /// Where there are many, it wakes halfway, and serves all entries that are due after that. Example: of a million entries each is
  /// due a bit before the one added before it, and removed at once. Each would need a sleeper of its own.
  private mutating func newSleeper(_ now: () -> Duration) -> Duration? {
    guard let deadline = items.first?.deadline else { return nil }
    if let next = sleepers.last, next <= deadline { return nil }
    var time = deadline
    if sleepers.count >= Self.manySleepers {
      let now = now()
      if deadline - now > .milliseconds(1) { time = now + (deadline - now) / 2 }
    }
    sleepers.append(time)
    return time
  }

  /// So that the heap of a few entries is not built anew all the time.
  private static var spareItemCount: Int { 16 }

  private static var manySleepers: Int { 16 }
}
