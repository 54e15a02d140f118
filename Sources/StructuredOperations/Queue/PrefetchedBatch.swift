/// Operations that a queue has chosen ahead, so that workers go from one to the next without a turn of the queue.
///
/// It is filled at the end of a turn in which no more can begin, and taken back at the beginning of the next one.
/// Between the two each operation that finishes is replaced by the next item, which keeps the slot; while slots are free, one
/// that makes nothing ready may leave its slot, too. That holds only as
/// long as the queue would choose the same: not once something was posted that might come first.
///
/// Operations that become ready by such an end join the batch in their places, as far as the batch knows these. Operations in
/// line for their concurrency limits are chosen apart from the others: which of them is next is known when an end has given its
/// limits back.
struct PrefetchedBatch<Work: Sendable, Traits: Equatable & Sendable>: Sendable {
  typealias EntryID = Int
  typealias Item = PrefetchedItem<Work>
  typealias Replacement = PrefetchedReplacement
  typealias Successor = LimitTable.Scheduler.Successor

  /// An operation in line for its concurrency limits.
  struct ItemInLine: Sendable {
    let item: Item
    /// What stands in line for it.
    let demand: LimitTable.DemandID
  }

  /// What may join the batch: what the next turn would choose before everything that is ready and not in the batch.
  enum Joining: Equatable, Sendable {
    case nothing
    /// What comes before the last item. Others are ready that come after it.
    case beforeLast
    /// Everything, since nothing else is ready.
    case everything
    /// As many as there are free slots, and the one that the worker goes on with. Nothing else is ready. The next turn
    /// starts child tasks for those that no end has taken over by then.
    case freeSlots(Int)
  }

  /// What the batch is filled with.
  struct Content: Sendable {
    /// The next one last; may be empty where others may join.
    let items: [Item]
    /// What a worker has to be like to run all of them; nil where there are none.
    let traits: Traits?
    /// Those in line, the next one last.
    var inLine: [ItemInLine] = []
    /// Whether any operation is in line, chosen or not; then none may join.
    var isBesideLine = false
    /// Where the first ready one comes that was not chosen; nil where none is in line.
    var nextReady: QueuePosition?
    var joining = Joining.nothing
    /// Whether what was becoming ready when there was the last batch may join this one: no turn since can have chosen it.
    var continuesLast = false
    /// The present, where a start rate counts when the items begin; nil without a rate, and where others may join.
    var countsStartsSince: Duration?
  }

  /// An operation that the end of another one has made ready.
  ///
  /// Without the work itself, so that copying it costs nothing.
  struct Arrival: Sendable {
    let entry: ReadyEntry
    /// Whether the worker that asks could run it.
    let isRunnable: Bool
  }

  /// What a worker goes on with.
  struct Next: Sendable {
    let item: Item
    /// The arrivals that come after the batch, and have not joined it.
    let late: SmallIndexSet
  }

  /// What the next turn takes back.
  struct Remainder: Sendable {
    let replacements: [Replacement]
    /// What was not needed, the next one last.
    let items: [Item]
    /// Those in line that were not needed, the next one last.
    var inLine: [ItemInLine] = []
    /// How many to choose next.
    let nextSize: Int
    /// How many of those in line.
    var nextSizeInLine = 1
    /// When those began that took a slot, where a start rate counts that.
    var startTimes: [Duration] = []
    /// The number of the first batch that the last one continues.
    var firstNumber = 0
  }

  /// Sorted by position, the next one last.
  private var items: [Item] = []
  /// Sorted by position, the next one last.
  private var inLine: [ItemInLine] = []
  private var nextReady: QueuePosition?
  /// Whether any operation was in line when it was filled: what is next is known once limits have been given back.
  private(set) var isBesideLine = false
  /// Whether one in line could have begun and was not chosen.
  private var hasMissed = false
  private var isFilled = false
  /// How often it has been filled: the number of this batch.
  private(set) var number = 0
  /// The number of the first batch that this one continues.
  private var firstNumber = 0
  /// What a worker has to be like to run the items; nil where there were none so far.
  private var traits: Traits?
  private var joining = Joining.nothing
  private var replacements: [Replacement] = []
  /// When those began that took a slot, where a start rate counts that.
  private var startTimes: [Duration] = []
  /// The latest of these, or the time of the filling; nil where no rate counts.
  private(set) var latestStart: Duration?
  /// Whether something was posted besides additions of which none is skipped: those outdate the batch by ``highestPosted``, where its
  /// last item comes after them.
  private var isOutdated = false
  /// The highest priority of the operations that were posted since the last turn.
  private var highestPosted = QueuePriority.veryLow
  private var size = Size(largest: Self.largestSize)
  private var sizeInLine = Size(largest: Self.largestSizeInLine)

  /// How many a turn chooses ahead at most.
  ///
  /// Those whose operations end while a turn chooses have to wait for it. Their threads may sleep then, and have to be woken, which
  /// takes longer than the turn: so turns are few. An end may have others join, up to 64 at once, as long as fewer than twice as
  /// many are here or have been taken.
  static var largestSize: Int { 512 }

  /// How many of those in line a turn chooses ahead at most: each end searches them.
  static var largestSizeInLine: Int { 64 }

  var isEmpty: Bool { items.isEmpty }

  /// Whether slots are free for the items, so that a turn has to start child tasks for them.
  var needsTurn: Bool { hasFreeSlots && !items.isEmpty }

  /// Whether slots are free for all that may join.
  private var hasFreeSlots: Bool { if case .freeSlots = joining { true } else { false } }

  // MARK: Inputs

  mutating func fill(_ content: Content) {
    precondition(!isFilled, "a batch was filled while another one was in use")
    isFilled = true
    number += 1
    if !content.continuesLast { firstNumber = number }
    items = content.items
    inLine = content.inLine
    isBesideLine = content.isBesideLine
    nextReady = content.nextReady
    hasMissed = false
    size.filled(items.count)
    sizeInLine.filled(inLine.count)
    traits = content.traits
    joining = content.joining
    latestStart = content.countsStartsSince
    replacements.reserveCapacity(items.count + inLine.count)
    if latestStart != nil { startTimes.reserveCapacity(items.count) }
  }

  /// Something was posted.
  ///
  /// - Parameter priority: The highest priority of additions, each of which comes last in its level; nil for any other event,
  ///   and where some are skipped.
  mutating func posted(_ priority: QueuePriority?) {
    if let priority { highestPosted = max(highestPosted, priority) } else { isOutdated = true }
  }

  /// An operation has finished.
  ///
  /// - Parameter time: The time, where a start rate has counted that operation.
  /// - Returns: What its worker runs next; nil if that has to take a turn. It begins at ``latestStart``, where that counts.
  mutating func takeNext(after finished: EntryID, for traits: Traits, at time: Duration? = nil) -> Item? {
    guard isNextKnown(for: traits, at: time), let item = items.popLast() else { return nil }
    replacements.append(Replacement(finished: finished, started: item.id, hasJoined: item.hasJoined))
    if let latest = latestStart, let time {
      // Another task may have read the clock later, and come first.
      latestStart = max(latest, time)
      startTimes.append(max(latest, time))
    }
    return item
  }

  /// An operation has finished, and others are ready by that.
  ///
  /// They join the batch, or come after it. O(arrivals × items), of which each arrival compares O(log(items)).
  ///
  /// - Parameters:
  ///   - count: How many others: the arrivals have the indices below that.
  ///   - number: The number of the batch that there was before they became ready. They join none that does not continue that:
  ///     a turn may have chosen them meanwhile.
  /// - Returns: What its worker runs next; nil if nothing has changed, and that has to take a turn.
  @inline(__always)
  mutating func joinAndTakeNext(
    after finished: EntryID,
    _ count: Int,
    since number: Int,
    for traits: Traits,
    at time: Duration? = nil,
    arrival: (Int) -> Arrival,
    work: (Int) -> Work
  ) -> Next? {
    guard let late = lateArrivals(count, since: number, for: traits, arrival) else { return nil }
    for index in 0..<count where !late.contains(index) {
      let entry = arrival(index).entry
      join(Item(id: entry.id, work: work(index), position: entry.position, hasJoined: true), traits)
    }
    guard let item = takeNext(after: finished, for: traits, at: time) else { return nil }
    if !late.isEmpty, joining == .everything { joining = .beforeLast }
    return Next(item: item, late: late)
  }

  /// An operation has finished from which nothing follows, and leaves its slot free, as others are.
  ///
  /// - Returns: False if nothing has changed, since a turn is to find what takes the slot, or is due.
  mutating func leaveSlot(after finished: EntryID) -> Bool {
    guard case .freeSlots(let count) = joining, items.isEmpty, !isOutdated, replacements.count < 2 * Self.largestSize
    else { return false }
    joining = .freeSlots(count + 1)
    replacements.append(Replacement(finished: finished))
    return true
  }

  /// What ``takeBack()`` would return, but for the sizes, which stay as they are.
  var remainder: Remainder {
    Remainder(
      replacements: replacements, items: items, inLine: inLine, nextSize: size.value, nextSizeInLine: sizeInLine.value,
      startTimes: startTimes, firstNumber: firstNumber)
  }

  /// A turn begins, which applies what was posted.
  mutating func takeBack() -> Remainder {
    isOutdated = false
    highestPosted = .veryLow
    guard isFilled else {
      return Remainder(
        replacements: [], items: [], nextSize: size.value, nextSizeInLine: sizeInLine.value, firstNumber: firstNumber)
    }
    isFilled = false
    traits = nil
    joining = .nothing
    latestStart = nil
    size.takenBack(isEmpty: items.isEmpty)
    sizeInLine.takenBack(
      isEmpty: inLine.isEmpty, hasMissed: hasMissed, isUsed: replacements.contains(where: \.wasInLine))
    return Remainder(
      replacements: replacements.removeEach(), items: items.removeEach(),
      inLine: inLine.isEmpty ? [] : inLine.removeEach(), nextSize: size.value, nextSizeInLine: sizeInLine.value,
      startTimes: startTimes.isEmpty ? [] : startTimes.removeEach(), firstNumber: firstNumber)
  }

  // MARK: In line

  /// What is next once an operation has given its limits back, or has ended without any while others are in line.
  ///
  /// - Parameters:
  ///   - demand: The first of the queue in line that can have its limits then; nil where none can.
  ///   - isContested: Whether anybody stands in line for what is given back: what needs limits may have to stand behind.
  ///   - needsLimits: Whether an item may need limits.
  /// - Returns: Unknown where that takes a turn. Otherwise ``takeNext(after:for:at:)`` or ``takeNextInLine(_:after:)`` follows.
  mutating func successor(
    _ demand: LimitTable.DemandID?,
    isContested: Bool,
    for traits: Traits,
    at time: Duration?,
    _ needsLimits: (Work) -> Bool
  ) -> Successor {
    let stands = isContested && items.last.map { needsLimits($0.work) } ?? false
    let other: Successor = isNextKnown(for: traits, at: time) && !stands ? .other : .unknown
    guard let demand else { return other }
    guard !isOutdated, traits == self.traits else { return .unknown }
    guard let index = index(of: demand) else {
      hasMissed = true
      return .unknown
    }
    let position = inLine[index].item.position
    if let first = items.last?.position ?? nextReady, position.comesAfter(first) { return other }
    return position.comesAfterAddition(of: highestPosted) ? .unknown : .demand(demand)
  }

  /// An operation has finished, and one in line has its slot.
  mutating func takeNextInLine(_ demand: LimitTable.DemandID, after finished: EntryID) -> Item {
    guard let index = index(of: demand) else { preconditionFailure("what was in line was not chosen ahead") }
    let next = inLine.remove(at: index).item
    replacements.append(Replacement(finished: finished, started: next.id, wasInLine: true))
    return next
  }

  private func index(of demand: LimitTable.DemandID) -> Int? { inLine.lastIndex { $0.demand == demand } }

  /// Whether the next item begins next, where no other one comes before.
  @inline(__always)
  private func isNextKnown(for traits: Traits, at time: Duration?) -> Bool {
    guard !isOutdated, traits == self.traits, latestStart == nil || time != nil, let last = items.first?.position else {
      return false
    }
    return !last.comesAfterAddition(of: highestPosted)
  }

  // MARK: Joining

  /// Where an operation comes that has become ready.
  private enum Place {
    /// It can join.
    case inside
    /// After all items; it cannot join.
    case behind
    case unknown
  }

  /// Which of the arrivals come after the batch, and do not join it; nil if that takes a turn to know.
  ///
  /// Inlined: otherwise all that the closure captures would be copied for it.
  @inline(__always)
  private func lateArrivals(
    _ count: Int,
    since number: Int,
    for traits: Traits,
    _ arrival: (Int) -> Arrival
  ) -> SmallIndexSet? {
    let last = items.first?.position
    guard !isOutdated, last?.comesAfterAddition(of: highestPosted) != true, items.isEmpty || traits == self.traits,
      count <= SmallIndexSet.capacity
    else { return nil }
    if case .freeSlots(let slots) = joining, items.count + count > slots + 1 { return nil }
    var late = SmallIndexSet()
    for index in 0..<count {
      switch place(of: arrival(index), number, last) {
      case .inside: break
      case .behind: late.insert(index)
      case .unknown: return nil
      }
    }
    // Where nothing else is ready, one that joins could come after one that does not.
    if !late.isEmpty, late.count < count, joining == .everything { return nil }
    return late
  }

  /// - Parameter last: The position of the last item.
  private func place(of arrival: Arrival, _ number: Int, _ last: QueuePosition?) -> Place {
    let position = arrival.entry.position
    let isBehind = last.map(position.comesAfter) ?? false
    let mayJoin =
      switch joining {
      case .nothing: false
      case .beforeLast: last != nil && !isBehind
      case .everything, .freeSlots: true
      }
    guard mayJoin, number >= firstNumber, arrival.isRunnable, !position.comesAfterAddition(of: highestPosted),
      // From time to time there has to be a turn.
      replacements.count + items.count < 2 * Self.largestSize
    else { return isBehind && !hasFreeSlots ? .behind : .unknown }
    return .inside
  }

  private mutating func join(_ item: Item, _ traits: Traits) {
    if items.isEmpty { self.traits = traits }
    var (index, end) = (0, items.endIndex)
    while index < end {
      let middle = (index + end) / 2
      if item.position.comesAfter(items[middle].position) { end = middle } else { index = middle + 1 }
    }
    if index == items.endIndex { items.append(item) } else { items.insert(item, at: index) }
  }
}
