import Testing

@testable import StructuredOperations

extension QueueSchedulerTests {
  // One argument is a hundred seeds, since there are more of them than anybody wants to read the names of.
  @Test("Random inputs have the scheduler do what a naive model does, and everything ends", arguments: 0..<20)
  func model(hundred: Int) throws {
    var starts = 0
    var resumptions = 0
    var passes = 0
    var falls = 0
    var withdrawals = 0
    for seed in 100 * hundred..<100 * (hundred + 1) {
      var comparison = SchedulerComparison(seed: seed)
      for _ in 0..<Int.random(in: 20..<200, using: &comparison.numbers) { try comparison.takeStep() }
      try comparison.drain()
      starts += comparison.startCount
      resumptions += comparison.resumptionCount
      passes += comparison.passCount
      falls += comparison.fallCount
      withdrawals += comparison.withdrawalCount
    }
    #expect(starts > 800, "the seeds of this hundred hardly start anything")
    #expect(resumptions > 30, "the seeds of this hundred hardly have anything wait")
    #expect(passes > 100, "the seeds of this hundred hardly have anything pass")
    #expect(falls > 10, "the seeds of this hundred hardly have a barrier fall behind another")
    #expect(withdrawals > 20, "the seeds of this hundred hardly have a barrier leave early")
  }
}

/// A scheduler and its model, which get the same inputs.
private struct SchedulerComparison {
  private let seed: Int
  private var step = 0
  var numbers: SeededGenerator
  private var scheduler: QueueScheduler<Int>
  private var model: SchedulerModel
  /// Identifiers by number, of what is in the queue.
  private var ids: [Int: Int] = [:]
  /// How often something was started.
  private(set) var startCount = 0
  /// How often something resumed after a wait.
  private(set) var resumptionCount = 0
  /// How many passed barriers.
  private(set) var passCount = 0
  /// How many barriers fell behind others.
  private(set) var fallCount = 0
  /// How many barriers left before they were due.
  private(set) var withdrawalCount = 0

  init(seed: Int) {
    self.seed = seed
    numbers = SeededGenerator(seed: UInt64(seed))
    let limit = Int.random(in: -1...4, using: &numbers)
    scheduler = QueueScheduler(maxConcurrentOperationCount: limit, defaultWidth: 3)
    // So that places are given back all the time.
    scheduler.ids = TableIndices(keptCount: 2)
    model = SchedulerModel(limit: limit, defaultLimit: 3)
  }

  // MARK: Inputs

  mutating func takeStep() throws {
    step += 1
    switch Int.random(in: 0..<146, using: &numbers) {
    case 100..<113: releaseSlot()
    case 113..<124: requestSlot()
    case 124..<136: try decide()
    case 136..<140: pass()
    case 140..<144: fallBehind()
    case 144..<146: withdraw()
    case 0..<25: try add(isBarrier: numbers.oneIn(8))
    case 25..<45: update()
    case 45..<53: setPriority()
    case 53..<56: setSuspended(!model.isSuspended)
    case 56..<60: setLimit(Int.random(in: -1...4, using: &numbers))
    case 60..<80: try decide()
    case 80..<98: finish()
    default: cancelAll()
    }
    try compare()
  }

  /// Ends all there is, as a queue does that nothing holds up any more.
  mutating func drain() throws {
    setSuspended(false)
    setLimit(2)
    var patience = 10 * model.entries.count + 10
    while !model.entries.isEmpty {
      step += 1
      patience -= 1
      try check(patience > 0, true, "coming to an end")
      for number in model.entries.filter({ $0.readiness == .blocked }).map(\.number) { update(number, to: .ready) }
      if numbers.oneIn(2) { requestSlot() }
      if numbers.oneIn(4) { fallBehind() }
      for _ in 0..<3 { try decide() }
      if numbers.oneIn(2) || !model.hasFreeSlot { finish() }
      try compare()
    }
    try check(scheduler.isEmpty, true, "being empty at the end")
    guard case .nothing = scheduler.next() else {
      throw ModelMismatch(description: "seed \(seed): a decision at the end")
    }
  }

  private mutating func add(isBarrier: Bool) throws {
    let readiness = randomReadiness()
    let priority = isBarrier ? .normal : randomPriority()
    let number = model.add(isBarrier: isBarrier, priority: priority, readiness: readiness)
    let id =
      isBarrier
      ? scheduler.addBarrier(number, readiness: readiness)
      : scheduler.add(number, priority: priority, readiness: readiness)
    try check(ids.values.contains(id), false, "the use of identifier \(id) by another")
    ids[number] = id
  }

  private mutating func update() {
    guard let number = model.entries.randomElement(using: &numbers)?.number else { return }
    update(number, to: randomReadiness())
  }

  private mutating func update(_ number: Int, to readiness: OperationReadiness) {
    guard let id = ids[number] else { return }
    model.update(number, to: readiness)
    scheduler.update(id, to: readiness)
  }

  private mutating func setPriority() {
    guard let number = model.entries.randomElement(using: &numbers)?.number, let id = ids[number] else { return }
    let priority = randomPriority()
    model.setPriority(number, to: priority)
    scheduler.setPriority(id, to: priority)
  }

  private mutating func setSuspended(_ isSuspended: Bool) {
    model.isSuspended = isSuspended
    if isSuspended { scheduler.suspend() } else { scheduler.resume() }
  }

  private mutating func setLimit(_ limit: Int) {
    model.limit = limit
    scheduler.setMaxConcurrentOperationCount(limit)
  }

  private mutating func cancelAll() {
    for number in model.entries.map(\.number) { update(number, to: .skipped) }
  }

  private mutating func finish() {
    guard let number = model.slotHolders.randomElement(using: &numbers)?.number else { return }
    finish(number)
  }

  private mutating func finish(_ number: Int) {
    guard let id = ids.removeValue(forKey: number) else { return }
    model.finished(number)
    scheduler.finished(id)
  }

  private mutating func releaseSlot() {
    guard let number = model.slotHolders.randomElement(using: &numbers)?.number, let id = ids[number] else { return }
    model.releaseSlot(number)
    scheduler.releaseSlot(id)
  }

  private mutating func requestSlot() {
    guard let number = model.waiting.randomElement(using: &numbers), let id = ids[number] else { return }
    model.requestSlot(number)
    scheduler.requestSlot(id)
  }

  /// Some operations pass the barriers that they wait for; not while the first of those runs, since its body depends on
  /// nothing any more.
  private mutating func pass() {
    guard !model.executing.contains(where: \.isBarrier) else { return }
    let passing = Set(model.behindBarrier.filter { _ in numbers.oneIn(3) })
    model.pass(passing)
    // What waits for no barrier is not moved.
    let others = model.operations.filter { _ in numbers.oneIn(4) && !model.behindBarrier.isEmpty }
    let ahead = others.filter { !model.behindBarrier.contains($0) && !passing.contains($0) }
    scheduler.pass((passing.sorted() + ahead).shuffled(using: &numbers).compactMap { ids[$0] })
    passCount += passing.count
  }

  /// The barrier that is due comes behind another one.
  private mutating func fallBehind() {
    guard let due = model.dueBarrier?.number else { return }
    let later = model.entries.filter { $0.isBarrier && $0.number != due }
    guard let barrier = later.randomElement(using: &numbers)?.number, let id = ids[due], let other = ids[barrier] else {
      return
    }
    model.fall(due, behind: barrier)
    fallCount += scheduler.fallBehind(other, [id]) ? 1 : 0
  }

  /// A barrier is not to run, and leaves before it is due.
  private mutating func withdraw() {
    let barriers = model.entries.filter { $0.isBarrier && !$0.isExecuting }
    guard let number = barriers.randomElement(using: &numbers)?.number, let id = ids.removeValue(forKey: number) else {
      return
    }
    withdrawalCount += model.dueBarrier?.number == number ? 0 : 1
    model.withdraw(number)
    _ = scheduler.giveUpPlace(id)
    scheduler.finished(id)
  }

  // MARK: Decisions

  private mutating func decide() throws {
    switch scheduler.next() {
    case .skip(let id, let work): try skip(id, work)
    case .dismissCaller(let id): throw Unexpected("entry \(id) has no caller")
    case .resume(let id): try resume(id)
    case .start(let id, let work): try start(id, work)
    case .nothing:
      try check(model.skipped, [], "that nothing is skipped")
      try check(model.nextResumption, nil, "that nobody resumes")
      try check(model.next, nil, "that nothing starts")
    }
  }

  private mutating func skip(_ id: Int, _ work: Int) throws {
    try check(model.skipped.contains(work), true, "the skip of \(work)")
    try check(id, ids[work], "the identifier of \(work)")
    if numbers.oneIn(8) {
      update(work, to: numbers.oneIn(2) ? .ready : .blocked)
    } else {
      finish(work)
    }
  }

  private mutating func resume(_ id: Int) throws {
    try check(model.skipped, [], "that nothing is skipped, as \(id) resumes,")
    try check(id, model.nextResumption.flatMap { ids[$0] }, "who resumes")
    guard let number = model.nextResumption else { return }
    resumptionCount += 1
    model.resume(number)
  }

  private mutating func start(_ id: Int, _ work: Int) throws {
    try check(model.skipped, [], "that nothing is skipped, as \(work) starts,")
    try check(model.nextResumption, nil, "that nobody resumes, as \(work) starts,")
    try check(work, model.next, "what is started")
    try check(id, ids[work], "the identifier of \(work)")
    try check(model.slotHolders.count < model.width, true, "a slot for \(work)")
    startCount += 1
    model.start(work)
    if numbers.oneIn(8) {
      model.putBack(work)
      scheduler.putBack(id)
    }
  }

  // MARK: Comparisons

  private func compare() throws {
    let executing = model.executing
    let slotCount = model.slotHolders.count
    try check(scheduler.executingCount, slotCount, "the count of slots")
    try check(scheduler.waitingCount, executing.count - slotCount, "the count of released slots")
    try check(scheduler.isIdle, executing.isEmpty, "being idle")
    try check(scheduler.isQuiescent, slotCount == 0 && model.slotRequests.isEmpty, "being quiescent")
    try check(
      scheduler.executingOperationCount, executing.filter { !$0.isBarrier }.count, "the count of executing operations")
    try check(
      scheduler.waitingOperationCount, executing.filter { !$0.isBarrier && !$0.hasSlot }.count,
      "the count of waiting operations")
    try check(scheduler.entryCount, model.entries.count, "the count")
    try check(scheduler.isEmpty, model.entries.isEmpty, "being empty")
    try check(scheduler.hasFreeSlot, model.hasFreeSlot, "having a free slot")
    if executing.contains(where: \.isBarrier) { try check(executing.count, 1, "the count beside a barrier") }
    // The lists take the most time and tell the least.
    guard step.isMultiple(of: 24) else { return }
    try check(scheduler.operations, model.operations, "the operations")
    let work = scheduler.allWork.reduce(into: [:]) { $0[$1.work] = $1.id }
    try check(work, ids, "all work")
    try check(Set(scheduler.aheadOfBarrier.map(scheduler.work)), model.holdingUp, "what is ahead of the barrier")
    let behind = model.operations.filter { ids[$0].map(scheduler.isHeldByBarrier) == true }
    try check(behind, model.behindBarrier.sorted(), "what is behind a barrier")
    try check(scheduler.hasBarrier, model.entries.contains(where: \.isBarrier), "having a barrier")
  }

  private func check<Value: Equatable>(_ value: Value, _ expected: Value, _ what: @autoclosure () -> String) throws {
    try ModelMismatch.check(value, expected, what(), seed: seed, step: step)
  }

  // MARK: Randomness

  private mutating func randomReadiness() -> OperationReadiness {
    switch Int.random(in: 0..<10, using: &numbers) {
    case 0..<6: .ready
    case 6..<9: .blocked
    default: .skipped
    }
  }

  private mutating func randomPriority() -> QueuePriority {
    QueuePriority.allCases.randomElement(using: &numbers) ?? .normal
  }
}
