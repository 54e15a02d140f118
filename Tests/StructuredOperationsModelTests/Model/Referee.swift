import StructuredOperations

/// The reference model: processes the events of a run one by one, in the simplest way, and reports what violates the
/// rules.
///
/// It reports only what is certain. If two calls overlapped, either may have taken effect first, and both orders are
/// accepted; so it reports no false faults, whatever the interleaving.
struct Referee {
  let program: Program
  let record: RunRecord
  /// Whether the log has the true order of events, with nothing between an event and its entry; false on threads.
  let isExact: Bool
  var operations: [Int: OperationModel]
  var queues: [QueueModel]
  var limits: [LimitModel]
  /// The start rates of the queues.
  var rates: [RateModel]
  let limitNeeds: [Int: [Int: LimitNeed]]
  /// The limits of calls of `run`, by the call.
  var callLimits: [Int: [Int]] = [:]
  /// Those who may lack limits, with everything idle.
  var lackingLimits: Set<LimitWaiter> = []
  /// What bodies do on the clock, by the operation.
  var attempts: [Int: Attempts] = [:]
  /// When a change of a start rate was called that has not returned, and what it is, by the queue.
  var changingRates: [Int: Program.Rate?] = [:]
  /// When everything was idle last.
  var lastRest = -1
  /// The queue of each call of `run`.
  var calls: [Int: Int] = [:]
  var callEvents: [Int: [String]] = [:]
  /// When each call of `run` was made.
  var callTimes: [Int: Int] = [:]
  var adds: [Int: (ids: [Int], queue: Int, called: Int)] = [:]
  var waits: [Int: (queue: Int, called: Int)] = [:]
  var operationWaits: Set<Int> = []
  /// The operations that have passed a barrier.
  var passed: Set<Int> = []
  /// The tasks that read values.
  var readers: [Int: Reader] = [:]
  /// The barriers that were cancelled, and those whose calling tasks were.
  var cancelledBarriers: Set<Int> = []
  /// The barriers that a closed queue did not take.
  var refusedBarriers: Set<Int> = []
  /// The barriers whose calls come to throw, since they would wait for ever: they leave before their callers go on.
  let withdrawnBarriers: Set<Int>
  /// When those who wait for what has failed in the scope knew; see ``ProgramRun/Failure`` for the identifiers.
  var failures: [Int: Int] = [:]
  /// When barriers and calls ended that failed in the scope.
  var failing: [Int: Int] = [:]
  /// The first known failure in a scope that cancels everything then.
  var firstFailure: Int?
  /// Whether the task around the scope was cancelled, or the scope's own body has failed.
  var wasScopeCancelled = false
  var isScopeCancellationCertain = false
  var isScopeEnding = false
  var scopeResult: Event.ScopeResult?
  /// How the operations ended.
  let outcomes: [Int: RunRecord.Outcome]
  /// Whether it is not known which operations of a batch a queue took.
  private(set) var hasAmbiguousAdds = false
  var faults: [String] = []
  /// The index of the current event.
  var now = 0

  /// The faults of a run.
  static func faults(
    of record: RunRecord,
    _ program: Program,
    isExact: Bool
  ) -> [String] {
    var referee = Referee(program, record, isExact: isExact)
    referee.attributeAdds()
    for (number, event) in record.events.enumerated() {
      referee.now = number
      for queue in referee.queues.indices { referee.queues[queue].timePassed(to: referee.time) }
      for queue in referee.queues.indices where referee.queues[queue].running == referee.queues[queue].bound {
        referee.queues[queue].lastFull = number
      }
      referee.apply(event)
    }
    referee.now = record.events.count
    referee.checkEnd()
    return referee.faults + record.observerFaults
  }

  private init(_ program: Program, _ record: RunRecord, isExact: Bool) {
    self.program = program
    self.record = record
    self.isExact = isExact
    operations = Dictionary(uniqueKeysWithValues: program.operations.map { ($0.id, OperationModel($0)) })
    queues = program.queues.map { QueueModel($0) }
    limits = program.limits.map { LimitModel(count: $0) }
    rates = program.queues.map { RateModel(rate: $0.rate) }
    limitNeeds = Self.limitNeeds(of: record)
    withdrawnBarriers = Set(
      record.events.compactMap { event in
        if case .barrierCallReturned(let id, .refused(.waitWouldDeadlock)) = event { id } else { nil }
      })
    outcomes = Dictionary(uniqueKeysWithValues: record.endings.map { ($0.id, $0.outcome) })
  }

  /// What had passed on the clock at the current event; zero if there is none.
  var time: Duration { record.times.indices.contains(now) ? record.times[now] : record.times.last ?? .zero }

  mutating func fault(_ message: String) { faults.append("\(message) (event \(now))") }

  func model(_ id: Int) -> OperationModel {
    guard let model = operations[id] else { preconditionFailure("an event names \(id), which is not in the program") }
    return model
  }

  mutating func update(_ id: Int, _ change: (inout OperationModel) -> Void) {
    var changed = model(id)
    change(&changed)
    operations[id] = changed
  }

  // MARK: Who enqueued what

  /// Determines which call enqueued which operation.
  ///
  /// Calls that accepted all their operations tell it directly; for a batch that accepted some, candidates are the
  /// operations that no other call enqueued.
  private mutating func attributeAdds() {
    var results: [Int: (result: Event.AddResult, returned: Int)] = [:]
    var open: [(call: Int, ids: [Int], queue: Int, called: Int)] = []
    for (number, event) in record.events.enumerated() {
      if case .addCalled(let call, let ids, let queue) = event { open.append((call, ids, queue, number)) }
      if case .addReturned(let call, let result) = event { results[call] = (result, number) }
    }
    for (call, ids, queue, called) in open {
      guard let (result, returned) = results[call] else { continue }
      guard case .count(let count) = result, count == ids.count else { continue }
      for (place, id) in ids.enumerated() { accept(id, queue, called, returned, place) }
    }
    for (call, ids, queue, called) in open {
      guard let (result, returned) = results[call], case .count(let count) = result, count < ids.count, count > 0 else {
        continue
      }
      // The queue of an operation that never ran cannot be observed; one that was started is the less likely candidate.
      let candidates = ids.enumerated().filter { model($0.element).queue == nil && placeOfRun($0.element) != .byHand }
        .sorted { likelihood($0.element, queue) > likelihood($1.element, queue) }
      let taken = candidates.prefix(count)
      if candidates.count > count { hasAmbiguousAdds = true }
      if taken.count != count { fault("a batch of \(ids) said \(count), but it was \(taken.map(\.element))") }
      for (place, id) in taken { accept(id, queue, called, returned, place) }
    }
  }

  private mutating func accept(_ id: Int, _ queue: Int, _ called: Int, _ returned: Int, _ place: Int) {
    if let other = model(id).queue { fault("\(id) was enqueued twice, in \(other) and \(queue)") }
    update(id) { model in
      model.queue = queue
      model.added = .init(called: called, returned: returned)
      model.placeInBatch = place
    }
  }

  private enum PlaceOfRun: Equatable {
    case byHand
    case queue(Int)
  }

  /// Where the body ran; nil if it did not.
  private func placeOfRun(_ id: Int) -> PlaceOfRun? {
    for event in record.events {
      if case .began(id, let queue, _) = event { return queue.map { .queue($0) } ?? .byHand }
    }
    return nil
  }

  private func likelihood(_ id: Int, _ queue: Int) -> Int {
    if placeOfRun(id) == .queue(queue) { return 2 }
    let wasStarted = record.events.contains { event in
      if case .startReturned(id, nil, _) = event { true } else { false }
    }
    return wasStarted ? 0 : 1
  }
}
