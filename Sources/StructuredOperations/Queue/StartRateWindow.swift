/// Decides when the next operation may begin under a start rate: a window that slides over the starts.
///
/// The caller tells the time, which never goes back. Only as many starts are kept as the rate counts.
struct StartRateWindow: Sendable {
  /// Nil where any number may begin.
  private(set) var rate: OperationStartRate?
  /// The latest starts, the earliest first; no more than ``lastRate`` counts, and few that it does not count any more.
  private(set) var starts = FIFOQueue<Duration>()
  /// The rate under which the starts were counted last; outlives ``rate``.
  private var lastRate: OperationStartRate?
  /// How many starts there were under that rate; too few where one of an earlier rate was withdrawn.
  private var startCount = 0
  /// How many starts were counted and are not kept.
  private var forgottenCount = 0

  /// When the next one may begin; nil if at any time.
  var nextStart: Duration? {
    guard let rate, starts.count == rate.count else { return nil }
    return starts[0] + rate.stretch
  }

  /// How many of a number of operations may begin from a time on, whenever they do.
  ///
  /// O(count) where fewer than that are unused, else O(1).
  func possibleStarts(at time: Duration, upTo count: Int) -> Int {
    guard let rate else { return count }
    let unused = rate.count - starts.count
    if unused >= count { return count }
    // Those that do not count any more make room.
    let past = (0..<min(count - unused, starts.count)).prefix { starts[$0] + rate.stretch <= time }
    return unused + past.count
  }

  // MARK: Inputs

  /// An operation begins.
  mutating func started(at time: Duration) {
    guard let rate else { return }
    if starts.count == rate.count { forgetFirst() }
    while starts.count >= Self.keptCount, starts[0] + rate.stretch <= time { forgetFirst() }
    starts.append(time)
    startCount += 1
  }

  /// One that was told as begun at that time has not begun after all.
  ///
  /// A start under an earlier rate stays counted: in its place one may have been forgotten that still matters. O(starts).
  mutating func withdrawStart(at time: Duration) {
    var isFound = false
    var earlierCount = max(0, starts.count - startCount)
    starts.removeAll { start in
      earlierCount -= 1
      if isFound || earlierCount >= 0 || start != time { return false }
      isFound = true
      return true
    }
    if isFound { startCount -= 1 }
  }

  /// Another rate holds from now on, or none; starts under earlier rates count.
  ///
  /// Earlier rates may have left fewer starts than the new one counts. Where these could matter, since the new stretch is
  /// longer, the forgotten ones are taken to have been as late as the rate of then let them be. So the new rate holds in
  /// any case; it may let one begin later than it would with all starts known.
  mutating func setRate(_ new: OperationStartRate?, at now: Duration) {
    rate = new
    guard let new else { return }
    if let lastRate { restore(upTo: new, countedBy: lastRate, now) }
    while starts.count > new.count { forgetFirst() }
    lastRate = new
    startCount = 0
  }

  // MARK: Helpers

  /// How many starts are kept though their stretch has ended: a rate that is set later may count them, in a longer one.
  ///
  /// Otherwise a queue with a rate of a billion a second would keep each start it ever made.
  private static var keptCount: Int { 1_024 }

  private mutating func forgetFirst() {
    _ = starts.popFirst()
    forgottenCount += 1
  }

  /// Gives forgotten starts the latest times that they can have had.
  private mutating func restore(upTo new: OperationStartRate, countedBy old: OperationStartRate, _ now: Duration) {
    // The latest first.
    var known = (0..<starts.count).reversed().map { starts[$0] }
    while known.count < new.count, forgottenCount > 0 {
      var latest = known.last ?? now
      // A start under the earlier rate was held until the one `old.count` before it was a stretch ago.
      let later = known.count - old.count
      if later >= 0, later < startCount { latest = min(latest, known[later] - old.stretch) }
      // Neither this one nor any before it counts any more.
      if latest + new.stretch <= now { break }
      known.append(latest)
      forgottenCount -= 1
    }
    starts = FIFOQueue()
    for start in known.reversed() { starts.append(start) }
  }
}
