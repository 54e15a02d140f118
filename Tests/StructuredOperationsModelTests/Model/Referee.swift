import StructuredOperations

/// The reference model: goes through the events of a run one by one, as naively as can be, and finds what may not be.
///
/// It judges by what is certain. Where two things happened at the same time, either may have come first, and both are
/// right; so it finds no faults where there are none, whatever the interleaving.
struct Referee {
  let program: Program
  let record: RunRecord
  /// Whether the events stand in the order in which they happened, and nothing happened between a moment and its event.
  let isExact: Bool
  var operations: [Int: OperationModel]
  var queues: [QueueModel]
  /// The queue of each call.
  var calls: [Int: Int] = [:]
  var callEvents: [Int: [String]] = [:]
  var adds: [Int: (ids: [Int], queue: Int, called: Int)] = [:]
  var waits: [Int: (queue: Int, called: Int)] = [:]
  var operationWaits: Set<Int> = []
  /// Those that have passed a barrier.
  var passed: Set<Int> = []
  var faults: [String] = []
  /// The number of the event that is looked at.
  var now = 0

  /// What is wrong with a run; empty where nothing is.
  static func faults(
    of record: RunRecord,
    _ program: Program,
    isExact: Bool
  ) -> [String] {
    var referee = Referee(program, record, isExact: isExact)
    referee.attributeAdds()
    for (number, event) in record.events.enumerated() {
      referee.now = number
      for queue in referee.queues.indices where referee.queues[queue].running == referee.queues[queue].bound {
        referee.queues[queue].lastFull = number
      }
      referee.apply(event)
    }
    referee.now = record.events.count
    referee.checkEnd()
    return referee.faults
  }

  private init(_ program: Program, _ record: RunRecord, isExact: Bool) {
    self.program = program
    self.record = record
    self.isExact = isExact
    operations = Dictionary(uniqueKeysWithValues: program.operations.map { ($0.id, OperationModel($0)) })
    queues = program.queues.map { QueueModel($0) }
  }

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

  /// Finds out which call enqueued which operation: told by single calls, and by the rest for batches.
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
      // Of one that never ran nobody sees who had it; it is less likely to be this batch where it was started.
      let candidates = ids.enumerated().filter { model($0.element).queue == nil && placeOfRun($0.element) != .byHand }
        .sorted { likelihood($0.element, queue) > likelihood($1.element, queue) }
      let taken = candidates.prefix(count)
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

  /// Where the body ran; nil where it did not.
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
