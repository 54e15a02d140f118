@testable import StructuredOperations

/// A queue in one plain array, which decides by looking at everything: what a scheduler is compared with.
struct SchedulerModel {
  struct Entry {
    let number: Int
    let isBarrier: Bool
    var rank: Int
    var priority: QueuePriority
    var standing: OperationStanding
    var isExecuting = false
  }

  /// What is in the queue, in the order of addition.
  private(set) var entries: [Entry] = []
  var limit: Int
  var isSuspended = false
  private let defaultLimit: Int
  private var nextNumber = 0
  private var nextRank = 0

  init(limit: Int, defaultLimit: Int) {
    self.limit = limit
    self.defaultLimit = defaultLimit
  }

  // MARK: What is so

  var executing: [Entry] { entries.filter(\.isExecuting) }

  var operations: [Int] { entries.filter { !$0.isBarrier }.map(\.number) }

  var hasFreeSlot: Bool { !isSuspended && executing.count < (limit == -1 ? defaultLimit : limit) }

  /// The operations that no barrier holds up.
  private var front: ArraySlice<Entry> { entries.prefix { !$0.isBarrier } }

  /// The barrier whose turn it is.
  private var dueBarrier: Entry? { entries.first.flatMap { $0.isBarrier && !$0.isExecuting ? $0 : nil } }

  /// What has to be started next, as the contract has it.
  var next: Int? {
    guard hasFreeSlot else { return nil }
    let ready = front.filter { $0.standing == .ready && !$0.isExecuting }
    if let first = ready.min(by: { ($1.priority, $0.rank) < ($0.priority, $1.rank) }) { return first.number }
    return dueBarrier.flatMap { $0.standing == .ready ? $0.number : nil }
  }

  /// All that may leave now, in whichever order.
  var leaving: Set<Int> {
    if isSuspended { return [] }
    let operations = entries.filter { $0.standing == .leaving && !$0.isExecuting && !$0.isBarrier }
    let barrier = dueBarrier.flatMap { $0.standing == .leaving ? $0 : nil }
    return Set((operations + [barrier].compactMap(\.self)).map(\.number))
  }

  // MARK: Inputs

  /// - Returns: The number of what was added.
  mutating func add(isBarrier: Bool, priority: QueuePriority, standing: OperationStanding) -> Int {
    defer {
      nextNumber += 1
      nextRank += 1
    }
    entries.append(
      Entry(number: nextNumber, isBarrier: isBarrier, rank: nextRank, priority: priority, standing: standing))
    return nextNumber
  }

  mutating func update(_ number: Int, to standing: OperationStanding) {
    change(number) { if !$0.isExecuting { $0.standing = standing } }
  }

  mutating func setPriority(_ number: Int, to priority: QueuePriority) {
    let rank = nextRank
    nextRank += 1
    change(number) { entry in
      if entry.isExecuting { return }
      entry.priority = priority
      entry.rank = rank
    }
  }

  mutating func start(_ number: Int) { change(number) { $0.isExecuting = true } }

  mutating func putBack(_ number: Int) {
    change(number) { entry in
      entry.isExecuting = false
      entry.standing = .pending
    }
  }

  mutating func finished(_ number: Int) { entries.removeAll { $0.number == number } }

  private mutating func change(_ number: Int, _ body: (inout Entry) -> Void) {
    guard let index = entries.firstIndex(where: { $0.number == number }) else { return }
    body(&entries[index])
  }
}
