/// Decides what a queue runs next: the limit, suspension, barriers, priorities and order; runs nothing itself.
///
/// Barriers cut the operations into segments. Only the first segment's operations may be chosen; when all of them have
/// finished its barrier may, and when that has finished the next segment comes to the front. So an operation never
/// looks at barriers, and no step looks at more than one operation.
///
/// Entries are found by their identifier in O(1). Identifiers of finished entries are used again; items of the ready
/// queues that still hold an old one are told by their rank, which is never used again.
struct QueueScheduler<Work: Sendable>: Sendable {
  typealias EntryID = Int

  var entries: [Entry?] = []
  /// The work of each entry, under the same identifier.
  private var works: [Work?] = []
  private var freeIDs: [EntryID] = []
  /// Never empty.
  var segments = FIFOQueue<Segment>()
  /// How many segments came before those.
  private(set) var passedSegments = 0
  /// Entries that leave, in the order in which they came to it; some may have thought better of it.
  private var departures = FIFOQueue<EntryID>()
  /// Those of them that leave a suspended queue, too.
  private var callerDepartures = FIFOQueue<EntryID>()
  /// Those that wait for a slot to go on with, first come, first served.
  var returners = FIFOQueue<EntryID>()
  private var nextNumber = 0
  private var nextRank = 0

  /// How many entries hold a slot.
  var executingCount = 0
  /// How many entries have lent theirs and not got it back.
  var lendingCount = 0
  /// Entries in the queue, barriers included.
  private(set) var entryCount = 0
  /// Operations chosen and not finished, barriers not included.
  private(set) var executingOperationCount = 0
  private(set) var isSuspended: Bool
  /// -1 is the default.
  private(set) var limit: Int
  private let defaultLimit: Int

  init(limit: Int, defaultLimit: Int, isSuspended: Bool = false) {
    self.limit = limit
    self.defaultLimit = defaultLimit
    self.isSuspended = isSuspended
    segments.append(Segment())
  }

  // MARK: What is so

  var isEmpty: Bool { entryCount == 0 }

  /// Whether another operation could be chosen, if there were one.
  var hasFreeSlot: Bool { !isSuspended && executingCount < width }

  /// How many entries may hold a slot.
  var width: Int { limit == -1 ? defaultLimit : limit }

  /// Whether no body runs, be it with a slot or without.
  var isIdle: Bool { executingCount == 0 && lendingCount == 0 }

  /// The place among those of the same priority.
  func rank(of id: EntryID) -> Int { entries[id]?.rank ?? 0 }

  func isBarrier(_ id: EntryID) -> Bool { entries[id]?.isBarrier == true }

  /// The operations in the order of addition, without barriers.
  ///
  /// O(n log n).
  var operations: [Work] { listed { !$0.isBarrier }.map(\.work) }

  /// The operations that have not been chosen, in the order of addition, without barriers.
  ///
  /// O(n log n).
  var waitingOperations: [(id: EntryID, work: Work)] { listed { !$0.isBarrier && !$0.phase.isChosen } }

  /// What is in the queue and has no need to wait for an entry, that one excepted, in the order of addition.
  ///
  /// O(n log n).
  func work(notBehind id: EntryID?) -> [(id: EntryID, work: Work)] {
    listed { _ in true }.filter { other, _ in
      guard let id else { return true }
      return other != id && !isBehind(other, id)
    }
  }

  private func listed(_ isWanted: (Entry) -> Bool) -> [(id: EntryID, work: Work)] {
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

  // MARK: Inputs

  /// - Parameter isOfCaller: Whether a task waits for the operation, which is let go as soon as the operation leaves,
  ///   in a suspended queue, too.
  mutating func add(
    _ work: Work,
    priority: QueuePriority,
    standing: OperationStanding,
    isOfCaller: Bool = false
  ) -> EntryID {
    insert(work, priority: priority, standing, segment: segments.count - 1, isBarrier: false, isOfCaller: isOfCaller)
  }

  /// Ends the last segment with a barrier and opens another one.
  mutating func addBarrier(_ work: Work, standing: OperationStanding) -> EntryID {
    let segment = segments.count - 1
    let id = insert(work, priority: .normal, standing, segment: segment, isBarrier: true, isOfCaller: false)
    segments[segment].barrier = id
    segments.append(Segment())
    return id
  }

  /// The operation has become ready, has to wait again, or leaves.
  ///
  /// Nothing happens where that is known already, or where it has been chosen.
  mutating func update(_ id: EntryID, to standing: OperationStanding) {
    guard var entry = entries[id] else { preconditionFailure("entry \(id) became \(standing) after its end") }
    if entry.phase.isChosen { return }
    let segment = entry.segment - passedSegments
    switch (entry.phase, standing) {
    case (.pending, .pending), (.ready, .ready), (.leaving, .leaving): return
    case (_, .pending): change(&entry, to: .pending, in: segment)
    case (_, .ready): change(&entry, to: .ready, in: segment)
    case (_, .leaving): change(&entry, to: .leaving, in: segment)
    }
    line(id, &entry)
    entries[id] = entry
  }

  /// Puts an entry where it is found when it is its turn.
  ///
  /// A barrier keeps its place and waits for its turn there.
  private mutating func line(_ id: EntryID, _ entry: inout Entry) {
    if entry.isBarrier { return }
    if entry.phase == .ready { insertItem(id, &entry) }
    if entry.phase == .leaving {
      if entry.isOfCaller { callerDepartures.append(id) } else { departures.append(id) }
    }
  }

  /// Moves an operation that waits to the end of a level (PR-06).
  ///
  /// It may be in it already, where the level was another one between its adding and now.
  mutating func setPriority(_ id: EntryID, to priority: QueuePriority) {
    guard var entry = entries[id], !entry.phase.isChosen else { return }
    entry.priority = priority
    requeue(id, entry, in: entry.segment)
  }

  /// Moves an operation that waits to the end of a level, unless it is in that one or a higher one.
  mutating func raisePriority(_ id: EntryID, to priority: QueuePriority) {
    if let entry = entries[id], entry.priority < priority { setPriority(id, to: priority) }
  }

  /// Gives an entry a new place, at the end of its priority in a segment.
  mutating func requeue(_ id: EntryID, _ old: Entry, in segment: Int) {
    var entry = old
    entry.segment = segment
    entry.rank = nextRank
    entry.hasItem = false
    nextRank += 1
    if entry.phase == .ready, !entry.isBarrier { insertItem(id, &entry) }
    let before = entries[id]
    entries[id] = entry
    if let before, before.hasItem { itemOrphaned(in: before.segment) }
  }

  mutating func suspend() { isSuspended = true }

  mutating func resume() { isSuspended = false }

  /// - Parameter limit: -1 is the default; the caller has checked it.
  mutating func setLimit(_ limit: Int) { self.limit = limit }

  /// The operation or barrier is over; a slot that it had is free again.
  mutating func finished(_ id: EntryID) {
    guard let entry = entries[id] else { preconditionFailure("entry \(id) finished twice") }
    switch entry.phase {
    case .executing:
      executingCount -= 1
      if !entry.isBarrier { executingOperationCount -= 1 }
    case .pending, .ready, .leaving: break
    case .lending, .returning: preconditionFailure("entry \(id) finished without its slot")
    }
    entries[id] = nil
    works[id] = nil
    freeIDs.append(id)
    entryCount -= 1
    if entry.hasItem { itemOrphaned(in: entry.segment) }
    if entry.isBarrier {
      precondition(entry.segment == passedSegments, "a barrier finished before its turn")
      _ = segments.popFirst()
      passedSegments += 1
    } else {
      segments[entry.segment - passedSegments].forget(entry)
    }
    if isEmpty { forgetBurst() }
  }

  // MARK: Decisions

  /// The next one that leaves without a slot; it finishes now.
  ///
  /// Nil in a suspended queue, which nothing leaves (QP-04).
  mutating func nextDeparture() -> (id: EntryID, work: Work)? {
    while let id = callerDepartures.popFirst() { if isLeaving(id) { return (id, work(of: id)) } }
    guard !isSuspended else { return nil }
    while let id = departures.popFirst() { if isLeaving(id) { return (id, work(of: id)) } }
    if let (id, entry) = dueBarrier, entry.phase == .leaving { return (id, work(of: id)) }
    return nil
  }

  /// Chooses what runs next and gives it a slot.
  mutating func startNext() -> (id: EntryID, work: Work)? {
    guard hasFreeSlot else { return nil }
    if let id = popReady() {
      execute(id)
      return (id, work(of: id))
    }
    guard let (id, entry) = dueBarrier, entry.phase == .ready else { return nil }
    execute(id)
    return (id, work(of: id))
  }

  /// What was chosen turned out not to be ready: its slot is free again, and it waits in its place.
  mutating func putBack(_ id: EntryID) {
    guard var entry = entries[id], entry.phase == .executing else {
      preconditionFailure("entry \(id) was put back unchosen")
    }
    change(&entry, to: .pending, in: entry.segment - passedSegments)
    entries[id] = entry
    executingCount -= 1
    if entries[id]?.isBarrier == false { executingOperationCount -= 1 }
  }

  // MARK: Helpers

  /// The barrier whose turn it is.
  private var dueBarrier: (EntryID, Entry)? {
    guard segments[0].unfinished == 0, let id = segments[0].barrier, let entry = entries[id] else { return nil }
    return (id, entry)
  }

  private mutating func insert(
    _ work: Work,
    priority: QueuePriority,
    _ standing: OperationStanding,
    segment: Int,
    isBarrier: Bool,
    isOfCaller: Bool
  ) -> EntryID {
    let phase: Phase =
      switch standing {
      case .pending: .pending
      case .ready: .ready
      case .leaving: .leaving
      }
    var entry = Entry(
      number: nextNumber, rank: nextRank, segment: segment + passedSegments, priority: priority, phase: phase,
      isBarrier: isBarrier, isOfCaller: isOfCaller)
    segments[segment].note(entry)
    nextNumber += 1
    nextRank += 1
    entryCount += 1
    if let id = freeIDs.popLast() {
      line(id, &entry)
      entries[id] = entry
      works[id] = work
      return id
    }
    let id = entries.count
    line(id, &entry)
    entries.append(entry)
    works.append(work)
    return id
  }

  /// Whether it does leave: it may have stayed after all, or be another one under the same identifier.
  private func isLeaving(_ id: EntryID) -> Bool {
    guard let entry = entries[id] else { return false }
    return entry.phase == .leaving && !entry.isBarrier
  }

  func work(of id: EntryID) -> Work {
    guard let work = works[id] else { preconditionFailure("entry \(id) has no work") }
    return work
  }

  private mutating func change(_ entry: inout Entry, to phase: Phase, in segment: Int) {
    segments[segment].forget(entry)
    entry.phase = phase
    segments[segment].note(entry)
  }

  /// One that waited for a dependency is ready, and gets a slot at once.
  mutating func released(_ id: EntryID) {
    guard var entry = entries[id] else { preconditionFailure("entry \(id) was released after its end") }
    change(&entry, to: .ready, in: entry.segment - passedSegments)
    entries[id] = entry
  }

  mutating func execute(_ id: EntryID) {
    entries[id]?.phase = .executing
    executingCount += 1
    if entries[id]?.isBarrier == false { executingOperationCount += 1 }
  }

  /// Takes the first ready operation out of its segment.
  mutating func popReady() -> EntryID? {
    while let item = segments[0].ready.popFirst() {
      guard let entry = entries[item.id], entry.rank == item.rank else {
        segments[0].ready.discardedOrphan()
        continue
      }
      entries[item.id]?.hasItem = false
      if entry.phase == .ready { return item.id }
    }
    return nil
  }

  private mutating func insertItem(_ id: EntryID, _ entry: inout Entry) {
    if entry.hasItem { return }
    entry.hasItem = true
    segments[entry.segment - passedSegments].ready
      .insert(ReadyQueue.Item(rank: entry.rank, id: id), priority: entry.priority)
  }

  private mutating func itemOrphaned(in segment: Int) {
    segments[segment - passedSegments].ready.orphaned { [entries] item in entries[item.id]?.rank != item.rank }
  }

  /// Gives back the room that many operations needed.
  private mutating func forgetBurst() {
    guard entries.count > 1_024 else { return }
    entries = []
    works = []
    freeIDs = []
    departures = FIFOQueue()
    callerDepartures = FIFOQueue()
    segments[0] = Segment()
  }
}
