/// Decides what a queue runs next: the limit, suspension, barriers, priorities and order; runs nothing itself.
///
/// Each input is one `mutating` function, and ``next()`` is the decision. Barriers cut the operations into segments. Only
/// the first segment's operations may be chosen; when all of them have finished its barrier may, and when that has
/// finished the next segment is the first one. So an operation never looks at barriers, and choosing and
/// finishing look at one operation, amortised.
///
/// Entries are found by their identifier in O(1). Identifiers of finished entries are used again, or their places are given back.
/// Ready queues may hold stale items of an old one, which are told by their rank: a rank is never used again.
struct QueueScheduler<Work: Sendable>: Sendable {
  typealias EntryID = Int

  var entries: [Entry?] = []
  /// The work of each entry, under the same identifier.
  private(set) var works: [Work?] = []
  var ids = TableIndices()
  /// Never empty.
  var segments = FIFOQueue<Segment>()
  /// How many segments came before those.
  var finishedSegments = 0
  /// Entries that are skipped, in the order in which they came to be; may hold stale ids.
  var skipped = FIFOQueue<EntryID>()
  /// Those of them that leave a suspended queue, too.
  var skippedCalls = FIFOQueue<EntryID>()
  /// Entries in line for their concurrency limits.
  var line = ReadyQueue()
  /// Those that wait for a slot to resume with, first come, first served.
  var slotRequests = FIFOQueue<EntryID>()
  private var nextNumber = 0
  /// The rank of what is added next.
  private(set) var nextRank = 0

  /// How many entries hold a slot.
  var executingCount = 0
  /// How many entries have released their slots and not got them back.
  var waitingCount = 0
  /// Entries in the queue, barriers included.
  private(set) var entryCount = 0
  /// Operations chosen and not finished, barriers not included.
  private(set) var executingOperationCount = 0
  private(set) var isSuspended: Bool
  /// Whether nothing may start for the time being, because of the queue's start rate.
  ///
  /// Whoever asks ``next()`` keeps it up to date; between turns it says whether something waits for the rate alone. Bodies resume and what
  /// is skipped leaves nevertheless.
  var startsAreHeld = false
  /// -1 is the default.
  private(set) var maxConcurrentOperationCount: Int
  private let defaultWidth: Int

  init(maxConcurrentOperationCount: Int, defaultWidth: Int, isSuspended: Bool = false) {
    self.maxConcurrentOperationCount = maxConcurrentOperationCount
    self.defaultWidth = defaultWidth
    self.isSuspended = isSuspended
    segments.append(Segment())
  }

  // MARK: Queries

  var isEmpty: Bool { entryCount == 0 }

  /// Whether a slot is free; starts may be held nevertheless.
  var hasFreeSlot: Bool { !isSuspended && executingCount < width }

  /// How many entries may hold a slot.
  var width: Int { maxConcurrentOperationCount == -1 ? defaultWidth : maxConcurrentOperationCount }

  /// Whether no body runs, with a slot or without.
  var isIdle: Bool { executingCount == 0 && waitingCount == 0 }

  func isBarrier(_ id: EntryID) -> Bool { entries[id]?.isBarrier == true }

  /// The operations in the order of addition, without barriers.
  ///
  /// O(n log n).
  var operations: [Work] { listed { !$0.isBarrier }.map(\.work) }

  /// What has not been chosen, in the order of addition.
  ///
  /// O(n log n).
  var waitingWork: [(id: EntryID, work: Work)] { listed { !$0.phase.isChosen } }

  /// What is in the queue and does not have to wait for an entry, without that one, in the order of addition.
  ///
  /// O(n log n).
  func work(notBehind id: EntryID?) -> [(id: EntryID, work: Work)] {
    listed { _ in true }.filter { other, _ in
      guard let id else { return true }
      return other != id && !isBehind(other, id)
    }
  }

  func listed(_ isWanted: (Entry) -> Bool) -> [(id: EntryID, work: Work)] {
    entries.indices.compactMap { id -> (number: Int, id: EntryID, work: Work)? in
      guard let entry = entries[id], let work = works[id], isWanted(entry) else { return nil }
      return (entry.number, id, work)
    }
    .sorted { $0.number < $1.number }
    .map { ($0.id, $0.work) }
  }

  /// Everything that is in the queue, in no particular order.
  var allWork: [(id: EntryID, work: Work)] {
    works.enumerated().compactMap { id, work in work.map { (id, $0) } }
  }

  func work(of id: EntryID) -> Work {
    guard let work = works[id] else { preconditionFailure("entry \(id) has no work") }
    return work
  }

  // MARK: Inputs

  /// The identifier of what is added next.
  var nextID: EntryID { ids.next }

  /// - Parameters:
  ///   - runsInCaller: Whether a task waits for the operation, which is let go as soon as the operation is skipped, in a
  ///     suspended queue, too.
  ///   - isInLine: Whether it is ready but for its concurrency limits.
  @discardableResult
  mutating func add(
    _ work: consuming Work,
    priority: QueuePriority,
    readiness: OperationReadiness,
    runsInCaller: Bool = false,
    isInLine: Bool = false
  ) -> EntryID {
    insert(
      work, priority: priority, isInLine ? .inLine : Phase(readiness), segment: segments.count - 1,
      runsInCaller: runsInCaller)
  }

  /// Ends the last segment with a barrier and opens another one.
  ///
  /// - Parameter runsInCaller: Whether a task waits for the barrier, which goes on as soon as the barrier is skipped.
  @discardableResult
  mutating func addBarrier(_ work: Work, readiness: OperationReadiness, runsInCaller: Bool = false) -> EntryID {
    let segment = segments.count - 1
    let id = insert(
      work, priority: .normal, Phase(readiness), segment: segment, isBarrier: true, runsInCaller: runsInCaller)
    segments[segment].barrier = id
    segments.append(Segment())
    return id
  }

  /// The readiness of an entry may have changed, which matters only until it is chosen.
  ///
  /// One in line for its limits leaves that first.
  mutating func update(_ id: EntryID, to readiness: OperationReadiness) {
    guard var entry = entries[id] else { preconditionFailure("entry \(id) became \(readiness) after its end") }
    let phase = Phase(readiness)
    if entry.phase.isChosen || entry.phase == phase { return }
    change(&entry, to: phase)
    enlist(id, &entry)
    entries[id] = entry
  }

  /// Puts an entry where ``next(firstInLine:)`` finds it.
  ///
  /// A barrier keeps its place, and is found once all ahead of it have finished.
  mutating func enlist(_ id: EntryID, _ entry: inout Entry) {
    if entry.phase == .skipped, entry.runsInCaller { skippedCalls.append(id) }
    if entry.isBarrier { return }
    if entry.phase == .ready { insertItem(id, &entry) }
    if entry.phase == .inLine { insertLineItem(id, &entry) }
    if entry.phase == .skipped, !entry.runsInCaller { skipped.append(id) }
  }

  /// Moves an operation that waits to the end of a level.
  ///
  /// It may be in it already, where the level was another one between its adding and now.
  mutating func setPriority(_ id: EntryID, to priority: QueuePriority) {
    guard var entry = entries[id], !entry.phase.isChosen else { return }
    entry.priority = priority
    requeue(id, entry, in: entry.segment)
  }

  /// Gives an entry a new place, at the end of its priority in a segment.
  mutating func requeue(_ id: EntryID, _ old: Entry, in segment: Int) {
    var entry = old
    entry.segment = segment
    entry.rank = nextRank
    entry.hasItem = false
    entry.hasLineItem = false
    nextRank += 1
    if entry.phase == .ready, !entry.isBarrier { insertItem(id, &entry) }
    if entry.phase == .inLine { insertLineItem(id, &entry) }
    let before = entries[id]
    entries[id] = entry
    if let before, before.hasItem { itemBecameStale(in: before.segment) }
    if let before, before.hasLineItem { lineItemBecameStale() }
  }

  mutating func suspend() { isSuspended = true }

  mutating func resume() { isSuspended = false }

  /// - Parameter count: -1 is the default; the caller has checked it.
  mutating func setMaxConcurrentOperationCount(_ count: Int) { maxConcurrentOperationCount = count }

  /// The operation or barrier is over; a slot that it had is free again.
  mutating func finished(_ id: EntryID) {
    guard let entry = entries[id] else { preconditionFailure("entry \(id) finished twice") }
    switch entry.phase {
    case .executing:
      executingCount -= 1
      if !entry.isBarrier { executingOperationCount -= 1 }
    case .blocked, .ready, .skipped: break
    case .inLine, .waiting, .resuming: preconditionFailure("entry \(id) finished without its slot")
    }
    entries[id] = nil
    works[id] = nil
    entryCount -= 1
    if entry.hasItem { itemBecameStale(in: entry.segment) }
    if entry.hasLineItem { lineItemBecameStale() }
    if entry.isBarrier {
      precondition(entry.segment == finishedSegments, "a barrier finished before it was due")
      _ = segments.popFirst()
      finishedSegments += 1
    } else {
      segments[entry.segment - finishedSegments].remove(entry)
    }
    giveBack(id)
  }

  // MARK: Helpers

  private mutating func insert(
    _ work: consuming Work,
    priority: QueuePriority,
    _ phase: Phase,
    segment: Int,
    isBarrier: Bool = false,
    runsInCaller: Bool = false
  ) -> EntryID {
    var entry = Entry(
      number: nextNumber, rank: nextRank, segment: segment + finishedSegments, priority: priority,
      phase: phase, isBarrier: isBarrier, runsInCaller: runsInCaller)
    segments[segment].add(entry)
    nextNumber += 1
    nextRank += 1
    entryCount += 1
    let id = ids.take()
    if ids.hasToRaise { ids.raise { [entries] in entries[$0] != nil } }
    enlist(id, &entry)
    if id < entries.count {
      entries[id] = entry
      works[id] = work
    } else {
      entries.append(entry)
      works.append(work)
    }
    return id
  }

  mutating func change(_ entry: inout Entry, to phase: Phase) {
    segments[entry.segment - finishedSegments].remove(entry)
    entry.phase = phase
    segments[entry.segment - finishedSegments].add(entry)
  }

  mutating func execute(_ id: EntryID) {
    entries[id]?.phase = .executing
    executingCount += 1
    if entries[id]?.isBarrier == false { executingOperationCount += 1 }
  }

  /// What was chosen has not begun.
  mutating func notExecuting(_ entry: Entry) { if !entry.isBarrier { executingOperationCount -= 1 } }

  private mutating func insertItem(_ id: EntryID, _ entry: inout Entry) {
    if entry.hasItem { return }
    entry.hasItem = true
    segments[entry.segment - finishedSegments].ready
      .insert(ReadyQueue.Item(rank: entry.rank, id: id), priority: entry.priority)
  }

  private mutating func itemBecameStale(in segment: Int) {
    segments[segment - finishedSegments].ready.itemBecameStale { [entries] item in
      entries[ifAny: item.id]?.rank != item.rank
    }
  }

  /// The place is free again; gives back the memory that many operations needed, once there are few.
  private mutating func giveBack(_ id: EntryID) {
    ids.giveBack(id)
    if ids.hasToLower { ids.lower { [entries] in entries[$0] != nil } }
    guard ids.count < entries.count else { return }
    entries = Array(entries[..<ids.count])
    works = Array(works[..<ids.count])
  }
}
