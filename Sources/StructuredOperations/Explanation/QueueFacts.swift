/// What a queue knows of its operations at one moment.
///
/// A class, as are its members, so that passing them on copies nothing.
final class QueueFacts: Sendable {
  /// One operation, as its queue sees it.
  final class Member: Sendable {
    let operation: any OperationProtocol
    let condition: OperationCondition
    let dependencies: [any OperationProtocol]
    let standing: QueueScheduler<OperationStorage>.Standing
    /// What stands in line for its limits, or has them.
    let demand: LimitTable.DemandID?
    /// Whether its limits are asked for: it takes them when it begins, or goes on.
    let mayLackLimits: Bool
    /// Of a barrier: what comes before it and after the barrier before.
    let ahead: [any OperationProtocol]
    let barrier: (any OperationProtocol)?
    /// Where it waits for that barrier only until that is due: what both wait for until then.
    let sharedWithBarrier: SharedNeeds?

    init(
      _ operation: any OperationProtocol,
      _ condition: OperationCondition,
      _ standing: QueueScheduler<OperationStorage>.Standing,
      demand: LimitTable.DemandID?,
      mayLackLimits: Bool,
      ahead: [any OperationProtocol],
      barrier: (any OperationProtocol)?,
      sharedWithBarrier: SharedNeeds?
    ) {
      self.operation = operation
      var condition = condition
      dependencies = condition.takeDependencies()
      self.condition = condition
      self.standing = standing
      self.demand = demand
      self.mayLackLimits = mayLackLimits
      self.ahead = ahead
      self.barrier = barrier
      self.sharedWithBarrier = sharedWithBarrier
    }
  }

  /// What has to finish before a barrier is due, where others wait for just that, too.
  final class SharedNeeds: Sendable {
    let operations: [any OperationProtocol]

    init(_ operations: [any OperationProtocol]) { self.operations = operations }
  }

  let queue: AsyncOperationQueue
  /// The queue in words.
  let header: String
  let isSuspended: Bool
  /// How long the queue stays suspended, where it resumes by itself.
  let remainingSuspension: Duration?
  let width: Int
  /// How long the start rate lets nothing begin.
  let rateHold: Duration?
  /// In the order of addition, barriers included.
  let members: [Member]
  let slotHolders: [any OperationProtocol]
  /// The operations whose completion blocks have not ended.
  let completionBlocks: [any OperationProtocol]
  /// The waits for all that is in the queue that the queue has found no reason to end; nil where it will look for one later.
  let lastingWaits: Set<ObjectIdentifier>?

  var isLimitZero: Bool { width == 0 }

  /// Works out how the operations stand.
  init(_ source: consuming Source, of queue: AsyncOperationQueue) {
    source.preview()
    source.moveAtBarriers()
    self.queue = queue
    header = source.header
    rateHold = source.rateHold
    remainingSuspension = source.remainingSuspension
    completionBlocks = source.completionBlocks
    isSuspended = source.scheduler.isSuspended
    width = source.scheduler.width
    lastingWaits = source.scheduler.isQuiescent ? source.lastingWaits : nil

    let (found, entries) = (source.members, source.scheduler.entries)
    func entry(_ index: Int) -> QueueScheduler<OperationStorage>.Entry? { found[index].id.flatMap { entries[$0] } }
    func holdsSlot(_ index: Int) -> Bool { entry(index)?.phase == .executing }
    // Indices are sorted, which are smaller than what they stand for.
    let unfinished = found.indices.filter { !found[$0].isFinished }
      .map { (index: $0, number: entry($0)?.number ?? 0) }.sorted { $0.number < $1.number }.map(\.index)
    slotHolders = unfinished.filter(holdsSlot).compactMap { found[$0].operation }

    var barriers: [Int: any OperationProtocol] = [:]
    var ahead: [Int: [any OperationProtocol]] = [:]
    if source.scheduler.hasBarrier {
      for index in unfinished {
        guard let operation = found[index].operation, let id = found[index].id, let entry = entries[id] else {
          continue
        }
        if entry.isBarrier { barriers[id] = operation } else { ahead[entry.segment, default: []].append(operation) }
      }
    }

    let standings = source.scheduler.standings(
      freed: found.indices.count { found[$0].isFinished && holdsSlot($0) }, isRateExhausted: source.rateHold != nil)
    let inLine = source.inLine
    let sharedNeeds = source.needsSharedWithBarriers(ahead: ahead, barriers)
    members = unfinished.compactMap { index in
      guard let operation = found[index].operation, let id = found[index].id, let standing = standings[id],
        let entry = entries[id]
      else { return nil }
      let condition = found[index].condition
      return Member(
        operation, condition, standing, demand: inLine[id]?.demand ?? condition.limitDemand,
        mayLackLimits: standing.place.isInLine || entry.phase == .resuming,
        ahead: entry.isBarrier ? ahead[entry.segment] ?? [] : [], barrier: standing.barrier.flatMap { barriers[$0] },
        sharedWithBarrier: source.sharesNeedsOfBarrier(id) ? sharedNeeds[entry.segment - 1] : nil)
    }
  }
}
