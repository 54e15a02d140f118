import StructuredOperationsTesting

/// Makes nested programs at random.
///
/// Each has its own mix: some kinds of steps are left out, others come often, so that programs are not all alike.
struct NestedProgramGenerator {
  typealias Step = NestedProgram.Step
  typealias Plan = NestedProgram.Plan

  private enum Kind: Int, CaseIterable {
    // These have steps in them.
    case add, addBarrier, elsewhere, start, scope, run, runBarrier, lend, childTask, timeout, retry
    case value, all, current, link, unlink, cancel, cancelAll, fail, sleep, suspendFor, yield

    var isNested: Bool { rawValue <= Self.retry.rawValue }

    var weight: Int {
      switch self {
      case .add: 8
      case .scope: 6
      case .value, .run, .yield, .elsewhere: 4
      case .addBarrier, .link: 2
      default: 1
      }
    }

    /// Whether it may close a loop, whatever it is about.
    var isCyclic: Bool {
      switch self {
      case .addBarrier, .runBarrier, .all, .current, .link: true
      default: false
      }
    }
  }

  private var random: SeededGenerator
  /// How many steps there may still be.
  private var budget = 0
  private var limitCounts: [Int] = []
  private var takesTime = false
  private var isCyclic = true
  private var kinds: [Kind] = []
  private var leaves: [Kind] = []
  private var places: [Int] = []
  private var picks: [Int] = []

  private init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  static func program(seed: UInt64) -> NestedProgram {
    var generator = Self(seed: seed)
    return generator.program()
  }

  private mutating func program() -> NestedProgram {
    budget = number(6...40)
    limitCounts = oneIn(2) ? [] : (0..<number(1...2)).map { _ in number(1...2) }
    takesTime = oneIn(3)
    isCyclic = !oneIn(5)
    mix()
    let queues = (0..<number(1...3)).map { _ in queue() }
    let scripts = (0..<number(1...3)).map { _ in script() }
    let meddling = oneIn(2) ? [] : meddling(number(1...12))
    return NestedProgram(
      queues: queues, limits: limitCounts, isCyclic: isCyclic, scripts: scripts, meddling: meddling)
  }

  private mutating func mix() {
    for kind in Kind.allCases {
      let isLeftOut =
        switch kind {
        case .add, .scope, .yield: false
        case .timeout, .sleep, .suspendFor: !takesTime || oneIn(2)
        default: (kind.isCyclic && !isCyclic) || oneIn(2)
        }
      if isLeftOut { continue }
      kinds += Array(repeating: kind, count: kind.weight * (oneIn(3) ? 3 : 1))
    }
    leaves = kinds.filter { !$0.isNested }
    places = weights(3)
    picks = weights(5)
  }

  /// So many choices, each as often as it is to be made.
  private mutating func weights(_ count: Int) -> [Int] {
    var choices: [Int] = []
    for number in 0..<count { choices += Array(repeating: number, count: choice(of: [1, 1, 3, 6])) }
    return choices
  }

  // MARK: Choices

  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
  private mutating func any() -> Int { number(0...999) }
  private mutating func oneIn(_ count: Int) -> Bool { random.oneIn(count) }
  private mutating func choice<Choice>(of choices: [Choice]) -> Choice { choices[number(0...choices.count - 1)] }

  private mutating func place() -> NestedProgram.Place {
    switch choice(of: places) {
    case 0: .around(oneIn(2) ? 0 : number(0...2))
    case 1: .open(number(0...3))
    default: .queue(any())
    }
  }

  private mutating func pick() -> NestedProgram.Pick {
    switch choice(of: picks) {
    case 0: .around(number(0...2))
    case 1: .opener
    case 2: .outermost
    case 3: .recent(number(0...3))
    default: .any(any())
    }
  }

  // MARK: Parts

  private mutating func queue() -> NestedProgram.Queue {
    NestedProgram.Queue(width: number(1...3), rate: takesTime && oneIn(4) ? number(1...2) : nil)
  }

  private mutating func script() -> [Step] {
    (0..<number(1...4)).flatMap { _ in [.yield(number(0...3)), step(depth: 0)] }
  }

  private mutating func steps(_ range: ClosedRange<Int> = 1...3, depth: Int) -> [Step] {
    (0..<number(range)).map { _ in step(depth: depth) }
  }

  private mutating func plan(depth: Int) -> Plan {
    var plan = callPlan(depth: depth)
    for limit in plan.limits.keys.sorted() { plan.limits[limit] = number(1...limitCounts[limit]) }
    if oneIn(3) { plan.dependencies = (0..<number(1...2)).map { _ in pick() } }
    plan.requiresSuccess = oneIn(4)
    return plan
  }

  /// One without dependencies, whose limits cost 1 each.
  private mutating func callPlan(depth: Int) -> Plan {
    var plan = Plan(body: NestedProgram.Body(steps: steps(0...3, depth: depth + 1), goesOn: !oneIn(4)))
    for limit in limitCounts.indices where oneIn(3) { plan.limits[limit] = 1 }
    return plan
  }

  private func plan(_ steps: Step..., after dependencies: [NestedProgram.Pick] = []) -> Plan {
    Plan(body: NestedProgram.Body(steps: steps), dependencies: dependencies)
  }

  private mutating func scope(depth: Int) -> NestedProgram.Scope {
    var steps: [Step] = []
    for _ in 0..<number(1...4) {
      steps += isCyclic && oneIn(2) ? pattern(depth: depth + 1) : [step(depth: depth + 1)]
    }
    return NestedProgram.Scope(
      queue: queue(), isSuspended: oneIn(8), cancelsOnFailure: oneIn(4), steps: steps)
  }

  private mutating func step(depth: Int) -> Step {
    budget -= 1
    switch choice(of: budget < 0 || depth > 6 ? leaves : kinds) {
    case .add: return .add(plan(depth: depth), place())
    case .addBarrier:
      var plan = callPlan(depth: depth)
      if oneIn(2) { plan.dependencies = [pick()] }
      return .addBarrier(plan, place(), isCancelled: oneIn(3))
    case .elsewhere: return .elsewhere(steps(depth: depth + 1), cancelledAfter: oneIn(3) ? number(0...8) : nil)
    case .start: return .start(plan(depth: depth))
    case .scope: return .scope(scope(depth: depth))
    case .run: return .run(callPlan(depth: depth), place())
    case .runBarrier: return .runBarrier(callPlan(depth: depth), place())
    case .lend: return .lend(steps(depth: depth + 1))
    case .childTask: return .childTask(endingSteps())
    case .timeout: return .timeout(number(1...6), steps(depth: depth + 1))
    case .retry:
      let pause = takesTime ? number(0...3) : 0
      return .retry(steps(1...2, depth: depth + 1), failures: number(0...2), pause: pause)
    case .value: return .value(pick())
    case .all: return .all(place())
    case .current: return .current(place())
    case .link: return .link(pick(), pick(), requiresSuccess: oneIn(3))
    case .unlink: return .unlink(pick(), pick())
    case .cancel: return .cancel(pick())
    case .cancelAll: return oneIn(3) ? .cancelAll(place()) : .yield(1)
    case .fail: return .fail
    case .sleep: return .sleep(number(1...3))
    case .suspendFor: return .suspendFor(number(1...4), place())
    case .yield: return .yield(number(1...4))
    }
  }

  /// What a child task of a body does.
  ///
  /// What it waits for may wait for that body, of which the library knows nothing, so it ends by time.
  private mutating func endingSteps() -> [Step] {
    let waits = (0..<number(1...2)).map { _ -> Step in oneIn(3) ? .yield(1) : .value(pick()) }
    let first: Step =
      switch number(0...3) {
      case 0: .run(Plan(body: NestedProgram.Body(steps: waits, goesOn: false)), place())
      case 1: .scope(NestedProgram.Scope(queue: queue(), steps: [.add(plan(.yield(2)), .around(0))]))
      default: .value(pick())
      }
    return [.timeout(number(2...8), [first] + waits)]
  }

  // MARK: Patterns

  /// What loops through the ends of scopes and through barriers are made of, which chance alone seldom brings about.
  private mutating func pattern(depth: Int) -> [Step] {
    budget -= 1
    if budget < 0 { return [dependent()] }
    switch number(0...6) {
    case 0: return [.elsewhere([.value(.recent(number(0...3))), dependent()], cancelledAfter: nil)]
    case 1:
      let opening = plan(.scope(scope(depth: depth + 1)))
      let step: Step = oneIn(2) ? .run(opening, .around(0)) : .add(opening, .around(0))
      return oneIn(3) ? [step] : [.elsewhere([step], cancelledAfter: nil), .yield(number(0...8))]
    case 2:
      let waiting = plan(.yield(number(1...4)), .value(.recent(number(0...1))))
      return [
        .add(waiting, .around(0)), step(depth: depth), .addBarrier(plan(), .around(0), isCancelled: !oneIn(3)),
      ]
    case 3: return [.add(plan(.yield(number(1...4))), .around(0))]
    case 4: return lateBarrier()
    default: return [dependent()]
    }
  }

  /// An operation in a scope that waits for a body around.
  private mutating func dependent() -> Step {
    .add(plan(after: [oneIn(2) ? .outermost : oneIn(2) ? .opener : pick()]), .around(0))
  }

  /// A body ahead of a barrier awaits what another barrier, behind that, holds up as soon as it is added.
  private mutating func lateBarrier() -> [Step] {
    let place = oneIn(2) ? NestedProgram.Place.around(0) : .queue(any())
    return [
      .add(plan(.yield(number(1...9))), .queue(any())), .add(plan(after: [.recent(0)]), .queue(any())),
      .add(plan(.yield(number(0...2)), .value(.recent(number(0...2)))), place),
      .addBarrier(plan(), place, isCancelled: false), .yield(number(0...2)),
      .addBarrier(plan(), place, isCancelled: false),
      .link(.recent(number(2...3)), .recent(0), requiresSuccess: false),
    ]
  }

  // MARK: Meddling

  private mutating func meddling(_ count: Int) -> [Step] {
    (0..<count).flatMap { _ in [.yield(number(0...8)), change()] }
  }

  private mutating func change() -> Step {
    switch number(0...12) {
    case 0...1: .cancel(pick())
    case 2: .cancelAll(place())
    case 3...4: .suspend(place())
    case 5...6: .resume(place())
    case 7: .width(number(0...3), place())
    case 8: limitCounts.isEmpty ? .yield(1) : .count(number(0...2), limit: any() % limitCounts.count)
    case 9: takesTime ? .suspendFor(number(1...5), place()) : .resume(place())
    case 10: takesTime ? .rate(oneIn(2) ? nil : number(1...3), place()) : .yield(3)
    case 11: .unlink(pick(), pick())
    default: isCyclic ? .link(pick(), pick(), requiresSuccess: oneIn(3)) : .yield(2)
    }
  }
}
