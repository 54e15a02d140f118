import StructuredOperations

/// Notes events of operations; knows neither a clock nor a lock, and keeps no operation alive.
///
/// Operations are told apart by their addresses. An unfinished operation lives; that of a finished one may be freed, but for the few
/// words at its address, which no other one gets until the operation is forgotten.
/// Times never go back: one that is earlier than the one before counts as that one.
struct JournalStateMachine: Sendable {
  typealias Object = any AnyObject & Sendable

  private let capacity: Int
  /// In no order; those at the indices in `unused` are forgotten.
  private var records: [JournalRecord] = []
  /// Parallel to `records`; nil for unfinished ones.
  private var finishedAddresses: [JournalAddress?] = []
  private var unused: [Int] = []
  /// The latest operation at each address.
  private var indices: [ObjectIdentifier: Int] = [:]
  private var queues = JournalQueues()
  /// The finished operations, by their ends.
  private var finishedIndices = FinishedIndices()
  private var count = 0
  private var lastID = 0
  private var lastTime = Duration.zero

  init(capacity: Int) { self.capacity = capacity }

  // MARK: Inputs

  mutating func added(_ object: Object, _ traits: JournalTraits, by parent: Object?, at time: Duration) {
    // Two observations of one operation may lead to the same journal.
    if index(of: object) != nil { return }
    let now = move(to: time)
    lastID += 1
    let record = JournalRecord(
      key: ObjectIdentifier(object), id: lastID, traits: traits,
      queue: queues.enter(traits.queue, named: traits.queueName),
      parent: parent.flatMap { id(of: $0) }, dependencies: traits.dependencies.map { link(to: $0) }, time: now)
    let index = insert(record)
    indices[ObjectIdentifier(object)] = index
    count += 1
    forgetFinished()
  }

  mutating func blocked(_ object: Object, by dependencies: [Object], at time: Duration) {
    guard let index = unfinishedIndex(of: object) else { return }
    let now = move(to: time)
    let links = dependencies.map { link(to: $0) }
    change(index) { record in
      record.dependencies = links
      switch record.phase {
      case .undecided, .ready: record.enter(.blocked, at: now)
      case .blocked, .executing, .waiting, .finished, .forgotten: break
      }
    }
  }

  mutating func ready(_ object: Object, after cause: Object?, at time: Duration) {
    guard let index = unfinishedIndex(of: object) else { return }
    let now = move(to: time)
    let cause = cause.flatMap { id(of: $0) }
    change(index) { record in
      switch record.phase {
      case .undecided, .blocked: record.enter(.ready, at: now, cause: JournalRecord.Cause(operation: cause))
      case .ready, .executing, .waiting, .finished, .forgotten: break
      }
    }
  }

  /// - Returns: Whether the operation is known.
  @discardableResult
  mutating func started(
    _ object: Object, _ priority: QueuePriority, after dependencies: [Object], at time: Duration
  ) -> Bool {
    guard let index = index(of: object) else { return false }
    guard records[index].canBegin else { return true }
    let now = move(to: time)
    let links = dependencies.map { link(to: $0) }
    let slot = queues.takeSlot(of: records[index].queue)
    change(index) { record in
      record.queuePriority = priority
      record.dependencies = links
      record.enter(.executing(slot: slot), at: now)
    }
    return true
  }

  /// - Parameters:
  ///   - cause: The operation that is waited for, the first of several.
  ///   - queue: Where everything in one is waited for.
  mutating func waitBegan(_ object: Object, for cause: Object?, queue: Object? = nil, at time: Duration) {
    guard let index = unfinishedIndex(of: object), giveSlotBack(index) else { return }
    let now = move(to: time)
    let awaited: JournalRecord.Awaited =
      if let cause {
        .operation(link(to: cause))
      } else if let queue {
        .queue(ObjectIdentifier(queue), JournalAddress(object: queue))
      } else {
        .unknown
      }
    change(index) { $0.enter(.waiting(for: awaited), at: now) }
  }

  mutating func waitEnded(_ object: Object, at time: Duration) {
    guard let index = unfinishedIndex(of: object), records[index].isWaiting else { return }
    let now = move(to: time)
    let slot = queues.takeSlot(of: records[index].queue)
    let cause = causeOfWait(records[index])
    change(index) { $0.enter(.executing(slot: slot), at: now, cause: cause) }
  }

  mutating func cancelled(_ object: Object, dependingOn dependencies: [Object], at time: Duration) {
    guard let index = unfinishedIndex(of: object) else { return }
    _ = move(to: time)
    let links = dependencies.map { link(to: $0) }
    change(index) { record in
      record.isCancelled = true
      if !record.hasBegun { record.dependencies = links }
    }
  }

  /// - Returns: Whether the operation is known.
  @discardableResult
  mutating func finished(_ object: Object, _ ending: JournalEnding, at time: Duration) -> Bool {
    guard let index = index(of: object) else { return false }
    guard !records[index].isFinished else { return true }
    let now = move(to: time)
    _ = giveSlotBack(index)
    let links = finalLinks(at: index, ending)
    // An operation that a dependency has kept from running was blocked until the last of them finished.
    let cause =
      records[index].isBlocked && !ending.isCancelled
      ? JournalRecord.Cause(operation: lastFinished(of: links)) : causeOfWait(records[index])
    change(index) { record in
      record.dependencies = links
      record.isCancelled = record.isCancelled || ending.isCancelled
      record.outcome = ending.outcome
      record.enter(.finished, at: now, cause: cause)
    }
    finishedAddresses[index] = JournalAddress(object: object)
    finishedIndices.append(index)
    forgetFinished()
    return true
  }

  // MARK: History

  /// O(n log n).
  func history(at time: Duration) -> OperationHistory {
    let time = max(time, lastTime)
    let records = records.filter { !$0.isForgotten }.sorted { $0.id < $1.id }
    let ids = Set(records.map(\.id))
    let entries = records.map { record in
      let queue = queues[record.queue]
      let present = record.presentSpan(until: time, cause: causeOfWait(record))
      let spans = present.map { record.spans + [$0] } ?? record.spans
      return OperationHistory.Entry(
        id: record.id, name: record.name.text, queue: queue.name, queuePriority: record.queuePriority,
        outcome: record.outcome, isCancelled: record.isCancelled,
        dependencies: record.dependencies.compactMap { id(of: $0) }.filter { ids.contains($0) },
        parent: record.parent.flatMap { ids.contains($0) ? $0 : nil }, addedAt: record.addedAt,
        finishedAt: record.isFinished ? record.time : nil, spans: spans.map { $0.limited(to: ids) },
        queueNumber: queue.number)
    }
    // Identifiers are given from 1 on.
    return OperationHistory(operations: entries, time: time, forgottenCount: lastID - entries.count)
  }

  // MARK: Records

  private mutating func move(to time: Duration) -> Duration {
    lastTime = max(lastTime, time)
    return lastTime
  }

  private mutating func insert(_ record: JournalRecord) -> Int {
    if let index = unused.popLast() {
      records[index] = record
      return index
    }
    records.append(record)
    finishedAddresses.append(nil)
    return records.count - 1
  }

  private mutating func change(_ index: Int, _ change: (inout JournalRecord) -> Void) {
    change(&records[index])
  }

  /// - Returns: Whether the operation executed.
  private mutating func giveSlotBack(_ index: Int) -> Bool {
    guard let slot = records[index].slot else { return false }
    queues.giveBack(slot, of: records[index].queue)
    return true
  }

  /// What the body waits for; nothing where it does not.
  private func causeOfWait(_ record: JournalRecord) -> JournalRecord.Cause {
    switch record.phase {
    case .waiting(.operation(let link)): JournalRecord.Cause(operation: id(of: link))
    case .waiting(.queue(let key, _)): JournalRecord.Cause(queue: queues.number(at: key))
    case .undecided, .blocked, .ready, .executing, .waiting(.unknown), .finished, .forgotten: JournalRecord.Cause()
    }
  }

  /// An operation that did not run may have got, and lost, dependencies of which nothing was told.
  private func finalLinks(at index: Int, _ ending: JournalEnding) -> [JournalLink] {
    // For good: those that are still not known are none.
    let known = records[index].dependencies.compactMap { link in id(of: link).map(link.resolved) }
    if records[index].hasBegun { return known }
    let last = ending.dependencies.map { link(to: $0) }
    // Sets, since all of this happens under the lock of the journal, and there may be many.
    let lastIDs = Set(last.map(\.id))
    // One that has finished may have been freed, so that it cannot be among the last ones, whether or not it was removed.
    let kept = known.filter { lastIDs.contains($0.id) || record(of: $0)?.isFinished != false }
    let keptIDs = Set(kept.map(\.id))
    return kept + last.filter { $0.id != nil && !keptIDs.contains($0.id) }
  }

  /// The one of some operations that has finished last; nil if none has.
  private func lastFinished(of links: [JournalLink]) -> Int? {
    var last: JournalRecord?
    for link in links {
      guard let record = record(of: link), record.isFinished, record.time >= last?.time ?? .zero else { continue }
      last = record
    }
    return last?.id
  }

  private mutating func forgetFinished() {
    while count > capacity, let index = finishedIndices.popFirst() {
      let key = records[index].key
      if indices[key] == index { indices[key] = nil }
      queues.forget(records[index].queue)
      records[index].forget()
      finishedAddresses[index] = nil
      unused.append(index)
      count -= 1
    }
  }

  // MARK: Identities

  /// The record of an operation; nil for one that is not known, or not any more.
  private func index(of object: Object) -> Int? { indices[ObjectIdentifier(object)] }

  private func unfinishedIndex(of object: Object) -> Int? {
    index(of: object).flatMap { records[$0].isFinished ? nil : $0 }
  }

  private func id(of object: Object) -> Int? { index(of: object).map { records[$0].id } }

  /// Nil where it is not known, or not any more.
  private func record(of link: JournalLink) -> JournalRecord? {
    guard let index = indices[link.key], records[index].id == link.id else { return nil }
    return records[index]
  }

  private func link(to object: Object) -> JournalLink {
    JournalLink(to: object, id: id(of: object))
  }

  /// An operation that was not known when it became a dependency may be known now.
  private func id(of link: JournalLink) -> Int? { link.id ?? indices[link.key].map { records[$0].id } }
}

extension OperationHistory.Span {
  fileprivate func limited(to ids: Set<Int>) -> OperationHistory.Span {
    guard let cause, !ids.contains(cause) else { return self }
    return OperationHistory.Span(kind: kind, start: start, end: end, slot: slot, cause: nil, queueNumber: queueNumber)
  }
}
