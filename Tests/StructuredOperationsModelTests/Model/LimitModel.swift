/// What the reference model knows about one concurrency limit; times are indices of events.
struct LimitModel {
  private(set) var count: Int
  /// A change whose call has not returned.
  private var changing: Int?
  /// The costs of bodies that run and do not wait.
  private(set) var used = 0
  /// The most that can have been taken, also for those that have not begun yet.
  ///
  /// It may be above the count: what was chosen before the count was lowered still begins.
  private(set) var bound: Int
  /// When a change was called or returned last.
  private(set) var lastChange = -1
  /// The lowest count since everything was idle.
  private(set) var leastSinceRest: Int

  init(count: Int) {
    self.count = count
    leastSinceRest = count
    bound = count
  }

  /// The smaller count where a change is under way.
  var leastCount: Int { min(count, changing ?? count) }

  private var greatestCount: Int { max(count, changing ?? count) }

  mutating func change(to count: Int, at moment: Int) {
    changing = count
    leastSinceRest = min(leastSinceRest, count)
    lastChange = moment
    bound = max(bound, count)
  }

  mutating func changed(at moment: Int) {
    count = changing ?? count
    changing = nil
    lastChange = moment
  }

  /// A body begins, or goes on after a wait.
  ///
  /// - Returns: Whether more is in use than can have been taken.
  mutating func take(_ cost: Int) -> Bool {
    used += cost
    defer { bound = max(bound, used) }
    return used > bound
  }

  /// A body ends, or waits and lends the limit.
  mutating func give(_ cost: Int) {
    used -= cost
    if bound > greatestCount { bound = max(greatestCount, bound - cost) }
  }

  /// A body waits, and may keep the limit.
  mutating func lendPerhaps(_ cost: Int) { used -= cost }

  /// Everything is idle, so all that has the limit runs.
  mutating func cameToRest() {
    bound = max(greatestCount, used)
    leastSinceRest = leastCount
  }
}
