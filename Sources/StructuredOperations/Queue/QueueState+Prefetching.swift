// What is chosen ahead, so that workers go from one operation to the next without a turn of the queue.
extension QueueState {
  /// Takes back what was chosen ahead at the end of the last turn.
  mutating func takeBack(_ remainder: QueueSharedState.Batch.Remainder) {
    batchSize = remainder.nextSize
    batchSizeInLine = remainder.nextSizeInLine
    firstBatch = remainder.firstNumber
    scheduler.takeBack(remainder.replacements, remainder.items, inLine: remainder.inLine.map(\.item))
    for replacement in remainder.replacements where replacement.wasInLine {
      if let started = replacement.started { inLine.remove(started) }
    }
    if !remainder.startTimes.isEmpty { time?.machine.started(at: remainder.startTimes) }
    if !remainder.replacements.isEmpty, mayStall { trigger.operationsChanged() }
  }

  /// Chooses ahead, where each operation that finishes leaves its slot to the first ready one, and says what may join then.
  mutating func prefetch(in queue: AsyncOperationQueue) -> QueueSharedState.Batch.Content? {
    guard var content = chosenAhead(in: queue) else { return nil }
    content.continuesLast = !mayHaveChosenArrivals
    mayHaveChosenArrivals = false
    return content
  }

  private mutating func chosenAhead(in queue: AsyncOperationQueue) -> QueueSharedState.Batch.Content? {
    if !inLine.isEmpty { return prefetchBesideLine(in: queue) }
    if scheduler.isFull { return prefetchForFullQueue() }
    guard mayJoin, scheduler.hasSpareSlots, !scheduler.hasReady() else { return nil }
    return QueueSharedState.Batch.Content(items: [], traits: nil, joining: .freeSlots(scheduler.freeSlotCount))
  }

  /// Chooses ahead where some are in line for their concurrency limits.
  ///
  /// Which of those in line can have their limits is known when an operation finishes. It comes before what is ready, or after
  /// that, by its position.
  @inline(never)
  private mutating func prefetchBesideLine(in queue: AsyncOperationQueue) -> QueueSharedState.Batch.Content? {
    guard time == nil, scheduler.passesSlotsOn else { return nil }
    var traits: WorkerTraits?
    let items = scheduler.isFull ? prefetchOrStand(batchSize, &traits, queue) : []
    let (defaults, places) = (defaults, inLine)
    let waiting: [QueueSharedState.Batch.ItemInLine] = scheduler.prefetchInLine(batchSizeInLine) { item in
      guard Self.isWanted(item.work, &traits, defaults), let place = places[item.id] else { return nil }
      return QueueSharedState.Batch.ItemInLine(item: item, demand: place.demand)
    }
    if items.isEmpty, waiting.isEmpty { return nil }
    return QueueSharedState.Batch.Content(
      items: items, traits: traits?.id, inLine: waiting, isBesideLine: true, nextReady: scheduler.nextReadyPosition())
  }

  /// Chooses ready operations ahead; those for whose limits others of the queue stand in line do so, too, from now on.
  ///
  /// Otherwise the task that is to begin one would find the line, and a turn would have to follow.
  private mutating func prefetchOrStand(
    _ count: Int,
    _ traits: inout WorkerTraits?,
    _ queue: AsyncOperationQueue
  ) -> [QueueSharedState.Batch.Item] {
    let defaults = defaults
    var places = EntriesInLine()
    swap(&places, &inLine)
    defer { swap(&places, &inLine) }
    return scheduler.prefetch(count) { id, storage in
      guard storage.mayHaveLimits,
        let place = storage.modify({ $0.standInLineAhead { LimitTable.standBesideOwn($0, as: $1, of: queue) } })
      else { return false }
      LimitTable.setName(id, of: place.demand)
      places.insert(id, place)
      return true
    } while: {
      Self.isWanted($0, &traits, defaults)
    }
  }

  private mutating func prefetch(_ count: Int, _ traits: inout WorkerTraits?) -> [QueueSharedState.Batch.Item] {
    let defaults = defaults
    return scheduler.prefetch(count) { Self.isWanted($0, &traits, defaults) }
  }

  /// Whether a worker of these traits can run the operation.
  ///
  /// - Parameter traits: Nil until there is one that can.
  private static func isWanted(
    _ storage: OperationStorage,
    _ traits: inout WorkerTraits?,
    _ defaults: WorkerTraits.Defaults
  ) -> Bool {
    if storage.runsInCaller { return false }
    let other = WorkerTraits(of: storage, in: defaults)
    if let traits { return traits == other }
    traits = other
    return true
  }

  private mutating func prefetchForFullQueue() -> QueueSharedState.Batch.Content? {
    // What is chosen ahead begins without a turn, so nobody asks the start rate any more.
    let size = time?.machine.possibleStarts(upTo: batchSize) ?? batchSize
    var traits: WorkerTraits?
    let items = prefetch(size, &traits)
    let joining: QueueSharedState.Batch.Joining =
      mayJoin ? scheduler.hasReady() ? .beforeLast : .everything : .nothing
    if items.isEmpty, joining != .everything { return nil }
    return QueueSharedState.Batch.Content(
      items: items, traits: items.isEmpty ? nil : traits?.id, joining: joining,
      countsStartsSince: time.flatMap { $0.machine.hasStartRate ? $0.machine.now : nil })
  }

  /// Whether operations that become ready may join what was chosen ahead.
  ///
  /// Not in a queue that has, or has had, a start rate, which would have to be asked, or a timed suspension.
  private var mayJoin: Bool { time == nil && scheduler.mayBecomeReady }
}
