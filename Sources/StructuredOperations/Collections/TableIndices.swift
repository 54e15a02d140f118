/// Gives out the places of a table, and takes them back.
///
/// A place that was given back is given out again. Once few places are taken after many were, only low ones are given out, and as
/// soon as none above them is taken the table may be cut there: so a table that never becomes empty does not stay as long as
/// it ever was. All of that is amortised O(1) for each place.
///
/// Only ``raise(isTaken:)`` and ``lower(isTaken:)`` look at the table. They are steps of their own, since a closure that captures the table
/// would retain it each time that a place is given out or given back.
struct TableIndices: Sendable {
  /// Places below ``end``; the one that is given out next comes last.
  private var free: [Int] = []
  /// No place from here on is given out, though some may be taken.
  private var end = 0
  /// How many places from ``end`` on are taken.
  private var takenAboveEnd = 0
  /// How long the table has to be.
  private(set) var count = 0
  /// A table that is no longer than this is never cut.
  private let keptCount: Int

  init(keptCount: Int = 1_024) { self.keptCount = keptCount }

  /// What is given out next: ``count`` where the table has to grow for it.
  var next: Int { free.last ?? count }

  private var takenCount: Int { end - free.count + takenAboveEnd }

  /// - Returns: ``next``, as it was.
  mutating func take() -> Int {
    if let index = free.popLast() { return index }
    precondition(end == count, "the table was to grow while places of it were free")
    count += 1
    end = count
    return count - 1
  }

  /// Whether ``raise(isTaken:)`` has to follow ``take()``.
  var hasToRaise: Bool { free.isEmpty && end < count }

  /// Gives out higher places again, since all below are taken.
  mutating func raise(isTaken: (Int) -> Bool) {
    while hasToRaise {
      let former = end
      end = min(2 * end, count)
      for index in (former..<end).reversed() {
        if isTaken(index) { takenAboveEnd -= 1 } else { free.append(index) }
      }
    }
  }

  /// Takes back a place; ``count`` may be less then.
  mutating func giveBack(_ index: Int) {
    if index < end { free.append(index) } else { takenAboveEnd -= 1 }
    cut()
  }

  /// Whether ``lower(isTaken:)`` has to follow ``giveBack(_:)``: less than a quarter of the places is taken.
  var hasToLower: Bool { end > keptCount && takenCount < end / 4 }

  /// Gives out low places alone; ``count`` may be less then.
  mutating func lower(isTaken: (Int) -> Bool) {
    let takenCount = takenCount
    end = max(2 * takenCount, keptCount)
    free = (0..<end).reversed().filter { !isTaken($0) }
    takenAboveEnd = takenCount - (end - free.count)
    cut()
  }

  private mutating func cut() { if takenAboveEnd == 0 { count = end } }
}
