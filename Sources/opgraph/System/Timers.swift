/// Actions with the times at which they are due; knows no clock.
struct Timers {
  typealias Action = @Sendable () -> Void

  /// Names an action until it has been taken.
  struct ID: Equatable, Comparable, Sendable {
    let deadline: ContinuousClock.Instant
    /// Counts the additions, so that of two with one deadline the earlier is taken first.
    fileprivate let number: Int

    static func < (left: ID, right: ID) -> Bool {
      (left.deadline, left.number) < (right.deadline, right.number)
    }
  }

  /// In falling order, so that those that are due are taken off the end.
  private var entries: [(id: ID, action: Action)] = []
  private var count = 0

  /// When the next action is due; nil if there is none.
  var next: ContinuousClock.Instant? { entries.last?.id.deadline }

  mutating func add(at deadline: ContinuousClock.Instant, _ action: @escaping Action) -> ID {
    count += 1
    let id = ID(deadline: deadline, number: count)
    entries.insert((id, action), at: place(of: id))
    return id
  }

  /// Removes an action, unless it has been taken.
  mutating func remove(_ id: ID) {
    let place = place(of: id)
    if place < entries.count, entries[place].id == id { entries.remove(at: place) }
  }

  /// Removes the actions that are due, and returns them in the order of their times.
  mutating func takeDue(at now: ContinuousClock.Instant) -> [Action] {
    var due: [Action] = []
    while let last = entries.last, last.id.deadline <= now {
      due.append(last.action)
      entries.removeLast()
    }
    return due
  }

  /// The index of the first entry that is not after `id`.
  private func place(of id: ID) -> Int {
    var range = 0..<entries.count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      range = entries[middle].id > id ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
