import StructuredOperations
import StructuredOperationsTesting

/// Generates programs that terminate: whatever their steps do, everything can run once the queues are resumed.
struct ProgramGenerator {
  var random: SeededGenerator
  let features: Features
  /// Whether there are barriers.
  ///
  /// Unless operations may pass them, one script adds all operations in the order of their identifiers, so that none
  /// depends on an operation behind a barrier that it is ahead of.
  private let hasBarriers: Bool
  private let scope: Program.Scope?
  private let queueCount: Int
  let scriptCount: Int
  private let operationCount: Int
  /// How many concurrency limits there are.
  let limitCount: Int
  private var barrierCount = 0
  private var callCount = 0
  private var readerCount = 0
  /// Whether queues may be closed.
  private let closesQueues: Bool
  /// Whether bodies call `runBarrier` of other queues.
  ///
  /// There is nothing else then that one operation could wait for another by, and so no loop but one of such calls.
  private let callsBarriers: Bool
  private let cancelsOnFailure: Bool

  static func program(seed: UInt64, features: Features = Features()) -> Program {
    var generator = Self(seed: seed, features: features)
    return generator.program()
  }

  private init(seed: UInt64, features: Features) {
    var random = SeededGenerator(seed: seed)
    self.features = features
    hasBarriers = random.oneIn(3)
    // With several queues, dependencies and barriers could form loops, which the library does not resolve.
    queueCount = random.oneIn(2) || (hasBarriers && features.passesBarriers) ? 1 : Int.random(in: 1...3, using: &random)
    scriptCount = random.oneIn(2) ? 1 : Int.random(in: 1...3, using: &random)
    // Small programs find most faults and are fast.
    let most = random.oneIn(2) ? 4 : random.oneIn(5) ? 24 : 10
    operationCount = Int.random(in: 1...most, using: &random)
    scope = random.oneIn(5) ? random.oneIn(3) ? .throwing : .returning : nil
    cancelsOnFailure = scope != nil && random.oneIn(2)
    closesQueues = random.oneIn(6)
    callsBarriers = !hasBarriers && queueCount > 1 && random.oneIn(3)
    // Features that a program has not take no random numbers, so that it stays the same where others are added.
    limitCount = features.usesLimits ? Int.random(in: 1...(random.oneIn(2) ? 2 : 4), using: &random) : 0
    self.random = random
  }

  /// Whether bodies wait.
  ///
  /// Not with barriers that operations may pass: a body could wait for an operation behind a barrier that waits for the
  /// body, which the library reports as a mistake.
  private var bodiesWait: Bool { features.bodiesWait && (!hasBarriers || keepsOrder) && !callsBarriers }

  private var keepsOrder: Bool { hasBarriers && !features.passesBarriers }

  private mutating func program() -> Program {
    let queues = (0..<queueCount).map { _ in
      Program.QueuePlan(limit: limit(), isSuspended: random.oneIn(4), rate: features.takesTime ? rate() : nil)
    }
    let limits = (0..<limitCount).map { _ in count() }
    let operations = (0..<operationCount).map { plan($0) }
    var scripts = (0..<scriptCount).map { script in
      (0..<Int.random(in: 0...18, using: &random)).map { _ in step(ofScript: script) }
    }
    insertAdds(of: operations, into: &scripts)
    insertCancellations(of: operations, into: &scripts)
    if scope != nil, random.oneIn(2) {
      let script = Int.random(in: 0..<scriptCount, using: &random)
      scripts[script].insert(.cancelScope, at: Int.random(in: 0...scripts[script].count, using: &random))
    }
    if closesQueues {
      let script = Int.random(in: 0..<scriptCount, using: &random)
      scripts[script].insert(.close(queue: queue()), at: Int.random(in: 0...scripts[script].count, using: &random))
    }
    return Program(
      queues: queues, operations: operations, scripts: scripts, scope: scope, features: features,
      cancelsOnFailure: cancelsOnFailure, limits: limits, isObserved: random.oneIn(2))
  }

  private mutating func limit() -> Int {
    // Slots leave more to decide to concurrency limits.
    if features.usesLimits, random.oneIn(2) { return [-1, 4, 3].randomElement(using: &random) ?? 3 }
    return [-1, 0, 1, 1, 1, 2, 2, 3].randomElement(using: &random) ?? 1
  }

  private mutating func queue() -> Int { Int.random(in: 0..<queueCount, using: &random) }

  private mutating func operation() -> Int { Int.random(in: 0..<operationCount, using: &random) }

  private mutating func requirement() -> DependencyRequirement { random.oneIn(3) ? .success : .completion }

  private mutating func level() -> QueuePriority { QueuePriority.allCases.randomElement(using: &random) ?? .normal }

  private mutating func plan(_ id: Int) -> Program.OperationPlan {
    var body = Program.Body.allCases.randomElement(using: &random) ?? .main
    var dependencies: [Program.Dependency] = []
    if id > 0, !callsBarriers, !random.oneIn(3) {
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        dependencies.append(.init(on: Int.random(in: 0..<id, using: &random), requirement: requirement()))
      }
    }
    if body == .fanIn {
      if dependencies.isEmpty { body = .main } else { dependencies[0].requirement = .success }
    }
    let waitsFor = bodiesWait && id > 0 && random.oneIn(3) ? Int.random(in: 0..<id, using: &random) : nil
    let wait = waitForm(isWait: waitsFor != nil)
    let home = random.oneIn(8) ? nil : queue()
    let barrierCall = barrierCall(home: home)
    // Others do not wait.
    if waitsFor != nil || callsBarriers && barrierCall != nil, !random.oneIn(4) {
      let bodies: [Program.Body] = [.start, .start, .throwingStart, .held, .heldUnlessCancelled]
      body = bodies.randomElement(using: &random) ?? .start
    } else if wait == .lent, !random.oneIn(3) {
      // Its slot is lent until it is released.
      body = .held
    }
    let time = features.takesTime ? timePlan(waits: waitsFor != nil) : nil
    // Others do not sleep.
    if time != nil, waitsFor == nil, !random.oneIn(4) { body = random.oneIn(3) ? .throwingStart : .start }
    // Those who have limits until they are released leave others in line with everything idle.
    if features.usesLimits, waitsFor == nil, random.oneIn(3) { body = .held }
    return Program.OperationPlan(
      id: id, body: body, yields: Int.random(in: 0...3, using: &random), priority: random.oneIn(2) ? level() : .normal,
      dependencies: dependencies, home: home,
      waitsFor: waitsFor, wait: wait, barrierCall: barrierCall, limits: limitCosts(), time: time)
  }

  private mutating func waitForm(isWait: Bool) -> Program.WaitForm {
    if isWait { return Program.WaitForm.allCases.randomElement(using: &random) ?? .finish }
    return random.oneIn(8) ? .lent : .finish
  }

  private mutating func barrierCall(home: Int?) -> Program.BarrierCall? {
    if callsBarriers, let home, random.oneIn(2) { return .of(queue: (home + 1) % queueCount) }
    return random.oneIn(12) ? .own : nil
  }

  /// A random step that adds no operation.
  ///
  /// Only one script changes the settings of a queue, or the dependencies and the priority of an operation. Otherwise
  /// it would be unknown which of two changes came last.
  private mutating func step(ofScript script: Int) -> Program.Step {
    let own = (0..<queueCount).filter { $0 % scriptCount == script }.randomElement(using: &random)
    let ownOperation = (0..<operationCount).filter { $0 % scriptCount == script }.randomElement(using: &random)
    if features.usesLimits, random.oneIn(4) { return limitStep(ofScript: script, operation(), own: ownOperation) }
    if features.takesTime, random.oneIn(4) { return timeStep(ofQueue: own) }
    switch Int.random(in: 0..<28, using: &random) {
    case 0, 1: return .cancel(operation())
    case 2: return random.oneIn(3) ? .cancelAll(queue: queue()) : .pause(2)
    case 3: return own.map { .suspend(queue: $0) } ?? .pause(1)
    case 4, 5: return own.map { .resume(queue: $0) } ?? .pause(1)
    case 6, 7: return own.map { .limit(limit(), queue: $0) } ?? .pause(1)
    case 8: return random.oneIn(2) ? .start(operation()) : .pause(1)
    case 9: return .observe(operation(), upTo: random.oneIn(2) ? nil : Int.random(in: 0...2, using: &random))
    case 10: return .wait(operation())
    case 11: return .waitForAll(queue: queue())
    case 12, 13: return ownOperation.map { .priority($0, level()) } ?? .pause(1)
    case 14, 15: return .release(operation())
    case 16: return ownOperation.map { .completionBlock($0) } ?? .pause(1)
    case 17, 18: return ownOperation.map { depend($0) } ?? .pause(1)
    case 19: return ownOperation.map { .undepend($0, on: operation()) } ?? .pause(1)
    case 20:
      callCount += 1
      return .call(
        callCount - 1, queue: queue(), yields: Int.random(in: 0...2, using: &random), isThrowing: random.oneIn(4),
        limits: limitsOfCall())
    case 21: return callCount == 0 ? .settle : .cancelCall(Int.random(in: 0..<callCount, using: &random))
    case 22: return .pause(Int.random(in: 1...4, using: &random))
    case 23, 24:
      readerCount += 1
      return .value(operation(), reader: readerCount - 1)
    case 25: return readerCount == 0 ? .settle : .cancelValue(reader: Int.random(in: 0..<readerCount, using: &random))
    case 26: return hasBarriers ? .cancelBarrier(Int.random(in: 0..<3, using: &random)) : .settle
    default: return .settle
    }
  }

  /// A step that adds a dependency: usually on an operation with a lower identifier; others may close a loop.
  private mutating func depend(_ id: Int) -> Program.Step {
    if callsBarriers { return .pause(1) }
    let other =
      keepsOrder || bodiesWait || !random.oneIn(3) ? Int.random(in: 0...id, using: &random) : operation()
    return .depend(id, on: other, requirement())
  }

  private mutating func insertAdds(of operations: [Program.OperationPlan], into scripts: inout [[Program.Step]]) {
    var steps = addSteps(of: operations)
    if hasBarriers {
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        steps.insert(barrier(), at: Int.random(in: 0...steps.count, using: &random))
      }
    }
    if keepsOrder {
      scripts[0] = merge(scripts[0], steps)
    } else {
      for step in steps {
        let script = Int.random(in: 0..<scriptCount, using: &random)
        scripts[script].insert(step, at: Int.random(in: 0...scripts[script].count, using: &random))
      }
    }
  }

  /// Inserts cancellations of bodies that wait for something that heeds them.
  private mutating func insertCancellations(
    of operations: [Program.OperationPlan],
    into scripts: inout [[Program.Step]]
  ) {
    for plan in operations {
      let isValue = plan.waitsFor != nil && plan.wait.isValue
      let isCall = plan.barrierCall.map { $0 != .own } ?? false
      guard isValue || isCall, random.oneIn(2) else { continue }
      let script = Int.random(in: 0..<scriptCount, using: &random)
      let count = scripts[script].count
      scripts[script].insert(
        contentsOf: [.settle, .cancel(plan.id), .settle], at: Int.random(in: (count / 2)...count, using: &random))
    }
  }

  private mutating func barrier() -> Program.Step {
    let (id, queue, yields, isThrowing) = (
      barrierCount, queue(), Int.random(in: 0...2, using: &random), random.oneIn(4)
    )
    barrierCount += 1
    let limits = limitsOfCall()
    return random.oneIn(3)
      ? .barrierCall(id, queue: queue, yields: yields, isThrowing: isThrowing, limits: limits)
      : .barrier(id, queue: queue, yields: yields, isThrowing: isThrowing, limits: limits)
  }

  private mutating func addSteps(of operations: [Program.OperationPlan]) -> [Program.Step] {
    var steps: [Program.Step] = []
    var batch: [Int] = []
    var home = 0
    for plan in keepsOrder ? operations : operations.shuffled(using: &random) {
      guard let queue = plan.home else { continue }
      // Some operations are left to be added at the end, unless their order relative to barriers matters.
      if !keepsOrder, random.oneIn(10) { continue }
      if !batch.isEmpty, queue != home || random.oneIn(2) {
        steps.append(.batch(batch, queue: home, form(isBatch: true)))
        batch = []
      }
      home = queue
      if random.oneIn(3) {
        batch.append(plan.id)
      } else {
        if !batch.isEmpty { steps.append(.batch(batch, queue: home, form(isBatch: true))) }
        batch = []
        steps.append(.add(plan.id, queue: queue, form(isBatch: false)))
      }
      // Added a second time, perhaps to another queue.
      if random.oneIn(8), batch.isEmpty { steps.append(.add(plan.id, queue: self.queue(), form(isBatch: false))) }
    }
    if !batch.isEmpty { steps.append(.batch(batch, queue: home, form(isBatch: true))) }
    return steps
  }

  /// A random form of adding.
  ///
  /// Not a strict one for a batch in an order that matters: refused as a whole, its operations would be added at the
  /// end.
  private mutating func form(isBatch: Bool) -> Program.AddForm {
    let form = Program.AddForm.allCases.randomElement(using: &random) ?? .asynchronous
    return isBatch && keepsOrder && form == .strict ? .asynchronous : form
  }

  /// Merges two lists at random and keeps the order of each.
  private mutating func merge(_ one: [Program.Step], _ other: [Program.Step]) -> [Program.Step] {
    var merged: [Program.Step] = []
    var (rest, others) = (one[...], other[...])
    while !rest.isEmpty || !others.isEmpty {
      let takesOther = Int.random(in: 0..<(rest.count + others.count), using: &random) < others.count
      if takesOther, let step = others.popFirst() {
        merged.append(step)
      } else if let step = rest.popFirst() {
        merged.append(step)
      }
    }
    return merged
  }
}
