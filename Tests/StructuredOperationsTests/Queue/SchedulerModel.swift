@testable import StructuredOperations

/// A queue in one plain array, which decides by looking at everything: what a scheduler is compared with.
struct SchedulerModel {
  struct Entry {
    let number: Int
    let isBarrier: Bool
    var rank: Int
    var priority: QueuePriority
    var readiness: OperationReadiness
    /// Whether it was chosen.
    var isExecuting = false
    /// Whether it has a slot, where it was chosen.
    var hasSlot = false
  }

  /// What is in the queue, in the order in which barriers hold it back: that of addition, but for what has passed some, or fallen behind some.
  private(set) var entries: [Entry] = []
  /// Those that wait for a slot to resume with, in order.
  private(set) var slotRequests: [Int] = []
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

  var slotHolders: [Entry] { entries.filter(\.hasSlot) }

  /// Those that have released their slots and do not request them.
  var waiting: [Int] {
    entries.filter { $0.isExecuting && !$0.hasSlot }.map(\.number).filter { !slotRequests.contains($0) }
  }

  var operations: [Int] { entries.filter { !$0.isBarrier }.map(\.number).sorted() }

  var width: Int { limit == -1 ? defaultLimit : limit }

  var hasFreeSlot: Bool { !isSuspended && slotHolders.count < width }

  /// The operations that no barrier holds back.
  private var aheadOfBarrier: ArraySlice<Entry> { entries.prefix { !$0.isBarrier } }

  /// The barrier that is due.
  var dueBarrier: Entry? { entries.first.flatMap { $0.isBarrier && !$0.isExecuting ? $0 : nil } }

  /// What has to be started next, as the contract has it.
  var next: Int? {
    guard hasFreeSlot else { return nil }
    let ready = aheadOfBarrier.filter { $0.readiness == .ready && !$0.isExecuting }
    if let first = ready.min(by: { ($1.priority, $0.rank) < ($0.priority, $1.rank) }) { return first.number }
    return dueBarrier.flatMap { $0.readiness == .ready ? $0.number : nil }
  }

  /// All that may be skipped now, in whichever order.
  var skipped: Set<Int> {
    if isSuspended { return [] }
    let operations = entries.filter { $0.readiness == .skipped && !$0.isExecuting && !$0.isBarrier }
    let barrier = dueBarrier.flatMap { $0.readiness == .skipped ? $0 : nil }
    return Set((operations + [barrier].compactMap(\.self)).map(\.number))
  }

  /// Who resumes next.
  var nextResumption: Int? { slotHolders.count < max(width, 1) ? slotRequests.first : nil }

  /// What has to finish before anything behind the first barrier may begin; that barrier too, once it is alone.
  var holdingUp: Set<Int> {
    if let first = entries.first, first.isBarrier { return [first.number] }
    return Set(aheadOfBarrier.map(\.number))
  }

  /// Operations that wait for a barrier.
  var behindBarrier: [Int] { entries.dropFirst(aheadOfBarrier.count).filter { !$0.isBarrier }.map(\.number) }

  // MARK: Inputs

  /// - Returns: The number of what was added.
  mutating func add(isBarrier: Bool, priority: QueuePriority, readiness: OperationReadiness) -> Int {
    defer {
      nextNumber += 1
      nextRank += 1
    }
    entries.append(
      Entry(number: nextNumber, isBarrier: isBarrier, rank: nextRank, priority: priority, readiness: readiness))
    return nextNumber
  }

  mutating func update(_ number: Int, to readiness: OperationReadiness) {
    change(number) { if !$0.isExecuting { $0.readiness = readiness } }
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

  mutating func start(_ number: Int) {
    change(number) { entry in
      entry.isExecuting = true
      entry.hasSlot = true
    }
  }

  mutating func releaseSlot(_ number: Int) { change(number) { $0.hasSlot = false } }

  mutating func requestSlot(_ number: Int) { slotRequests.append(number) }

  mutating func resume(_ number: Int) {
    slotRequests.removeAll { $0 == number }
    change(number) { $0.hasSlot = true }
  }

  /// Moves operations to the end of what is ahead of the first barrier; there they come last, in their old order.
  mutating func pass(_ numbers: Set<Int>) {
    var passing = entries.filter { numbers.contains($0.number) }.sorted { $0.rank < $1.rank }
    for index in passing.indices {
      passing[index].rank = nextRank
      nextRank += 1
    }
    entries.removeAll { numbers.contains($0.number) }
    entries.insert(contentsOf: passing, at: aheadOfBarrier.count)
  }

  /// Moves a barrier directly behind another one.
  mutating func fall(_ number: Int, behind other: Int) {
    let moved = entries.filter { $0.number == number }
    entries.removeAll { $0.number == number }
    guard let index = entries.firstIndex(where: { $0.number == other }) else { return }
    entries.insert(contentsOf: moved, at: index + 1)
  }

  /// A barrier leaves; what was directly behind it comes last in what was directly ahead, in its old order.
  mutating func withdraw(_ number: Int) {
    guard let index = entries.firstIndex(where: { $0.number == number }) else { return }
    entries.remove(at: index)
    let behind = entries[index...].prefix { !$0.isBarrier }
    let order = behind.indices.sorted { entries[$0].rank < entries[$1].rank }
    for index in order {
      entries[index].rank = nextRank
      nextRank += 1
    }
  }

  mutating func putBack(_ number: Int) {
    change(number) { entry in
      entry.isExecuting = false
      entry.hasSlot = false
      entry.readiness = .blocked
    }
  }

  mutating func finished(_ number: Int) { entries.removeAll { $0.number == number } }

  private mutating func change(_ number: Int, _ body: (inout Entry) -> Void) {
    guard let index = entries.firstIndex(where: { $0.number == number }) else { return }
    body(&entries[index])
  }
}
