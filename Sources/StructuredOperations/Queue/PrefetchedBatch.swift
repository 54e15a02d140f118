/// Operations that a queue has chosen ahead, so that child tasks go from one to the next without a turn of the queue.
///
/// It is filled at the end of a turn in which all slots are taken, and taken back at the beginning of the next one.
/// Between the two each operation that finishes is replaced by the next item, which keeps the slot. That holds only as
/// long as the queue would choose the same: not once something was posted that might come first.
struct PrefetchedBatch<Work: Sendable, Traits: Equatable & Sendable>: Sendable {
  typealias EntryID = Int
  typealias Item = PrefetchedItem<Work>

  /// What the batch is filled with.
  struct Content: Sendable {
    /// The next one last.
    let items: [Item]
    /// Where the first item comes, which is needed last.
    let last: QueuePosition
    /// What a child task has to be like to run the items.
    let traits: Traits
    /// The present, where a start rate counts when the items begin; nil where none does.
    var countsStartsSince: Duration?
  }

  /// An operation finished, and another one took its slot.
  struct Replacement: Equatable, Sendable {
    let finished: EntryID
    let started: EntryID
  }

  /// What the next turn takes back.
  struct Remainder: Sendable {
    let replacements: [Replacement]
    /// What was not needed, the next one last.
    let items: [Item]
    /// The size of the next batch: doubled when this one was used up, halved when not.
    let nextSize: Int
    /// When those began that took a slot, where a start rate counts that.
    var startTimes: [Duration] = []
  }

  /// The next one last.
  private var items: [Item] = []
  private var last = QueuePosition(priority: .veryLow, rank: 0)
  /// Nil if nothing was chosen ahead.
  private var traits: Traits?
  private var replacements: [Replacement] = []
  /// When those began that took a slot, where a start rate counts that.
  private var startTimes: [Duration] = []
  /// The latest of these, or the time of the filling; nil where no rate counts.
  private(set) var latestStart: Duration?
  /// Whether something was posted that may come before the items.
  private var isOutdated = false
  /// The highest priority of the operations that were posted since the last turn.
  private var highestPosted = QueuePriority.veryLow
  private var size = 1

  static var largestSize: Int { 64 }

  // MARK: Inputs

  mutating func fill(_ content: Content) {
    precondition(traits == nil, "a batch was filled while another one was in use")
    items = content.items
    last = content.last
    traits = content.traits
    latestStart = content.countsStartsSince
    replacements.reserveCapacity(items.count)
  }

  /// Something was posted.
  ///
  /// - Parameter priority: The highest priority of additions, each of which comes last in its level; nil for any other event.
  mutating func posted(_ priority: QueuePriority?) {
    if let priority { highestPosted = max(highestPosted, priority) } else { isOutdated = true }
  }

  /// Whether all items come before an operation that has become ready.
  func precedes(_ position: QueuePosition) -> Bool { position.comesAfter(last) }

  /// An operation has finished.
  ///
  /// - Parameter time: The time, where a start rate has counted that operation.
  /// - Returns: What its child task runs next; nil if that has to take a turn. It begins at ``latestStart``, where that counts.
  mutating func takeNext(after finished: EntryID, for traits: Traits, at time: Duration? = nil) -> Item? {
    guard !isOutdated, traits == self.traits, !last.comesAfterAddition(of: highestPosted),
      latestStart == nil || time != nil, let item = items.popLast()
    else { return nil }
    replacements.append(Replacement(finished: finished, started: item.id))
    if let latest = latestStart, let time {
      // Another task may have read the clock later, and come first.
      latestStart = max(latest, time)
      startTimes.append(max(latest, time))
    }
    return item
  }

  /// What ``takeBack()`` would return, but for the size, which stays as it is.
  var remainder: Remainder {
    Remainder(replacements: replacements, items: items, nextSize: size, startTimes: startTimes)
  }

  /// A turn begins, which applies what was posted.
  mutating func takeBack() -> Remainder {
    isOutdated = false
    highestPosted = .veryLow
    guard traits != nil else { return Remainder(replacements: [], items: [], nextSize: size) }
    traits = nil
    latestStart = nil
    size = items.isEmpty ? min(size * 2, Self.largestSize) : max(size / 2, 1)
    return Remainder(
      replacements: replacements.removeEach(), items: items.removeEach(), nextSize: size,
      startTimes: startTimes.isEmpty ? [] : startTimes.removeEach())
  }
}
