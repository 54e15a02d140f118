import StructuredOperations

/// Shrinks a failing program for as long as it still fails.
struct Shrinker {
  private var program: Program
  private var seed: UInt64
  private var faults: [String]
  /// The number of runs left.
  private var budget = 20_000

  static func shrink(_ program: Program, seed: UInt64, faults: [String]) -> (Program, UInt64, [String]) {
    var shrinker = Self(program: program, seed: seed, faults: faults)
    while shrinker.pass() {}
    return (shrinker.program, shrinker.seed, shrinker.faults)
  }

  private init(program: Program, seed: UInt64, faults: [String]) {
    self.program = program
    self.seed = seed
    self.faults = faults
  }

  /// Tries candidates until one fails.
  ///
  /// - Returns: Whether a smaller program fails too.
  private mutating func pass() -> Bool {
    var isSmaller = false
    for candidate in candidates() where attempt(candidate) {
      isSmaller = true
      // The other candidates were derived from the larger program.
      break
    }
    return isSmaller && budget > 0
  }

  /// Adopts the candidate if it fails under the current seed or under one of 25 others.
  private mutating func attempt(_ candidate: Program) -> Bool {
    for seed in [seed] + (0..<25).map({ UInt64($0) }) {
      if budget <= 0 { return false }
      budget -= 1
      let faults = SeededTrial.faults(of: candidate, seed: seed)
      if !faults.isEmpty {
        (program, self.seed, self.faults) = (candidate, seed, faults)
        return true
      }
    }
    return false
  }

  private func candidates() -> [Program] {
    var candidates: [Program] = []
    for script in program.scripts.indices {
      var smaller = program
      smaller.scripts[script].removeAll { !$0.isAdding }
      if smaller.scripts[script].count < program.scripts[script].count { candidates.append(smaller) }
    }
    for plan in program.operations { candidates.append(leavingOut(plan.id)) }
    for script in program.scripts.indices {
      // Steps that add are kept: without its step, an operation would be added at the end, behind barriers that it
      // belongs ahead of.
      for step in program.scripts[script].indices.reversed() where !program.scripts[script][step].isAdding {
        var smaller = program
        smaller.scripts[script].remove(at: step)
        candidates.append(smaller)
      }
      for step in program.scripts[script].indices {
        guard let simple = program.scripts[script][step].withoutLimits else { continue }
        var smaller = program
        smaller.scripts[script][step] = simple
        candidates.append(smaller)
      }
      if program.scripts[script].isEmpty, program.scripts.count > 1 {
        var smaller = program
        smaller.scripts.remove(at: script)
        candidates.append(smaller)
      }
    }
    for index in program.operations.indices { candidates += simpler(index) }
    if program.cancelsOnFailure {
      var smaller = program
      smaller.cancelsOnFailure = false
      candidates.append(smaller)
    }
    for queue in program.queues.indices where program.queues[queue].rate != nil {
      var smaller = program
      smaller.queues[queue].rate = nil
      candidates.append(smaller)
    }
    if program.scope != nil {
      var smaller = program
      smaller.scope = nil
      smaller.cancelsOnFailure = false
      for script in smaller.scripts.indices {
        smaller.scripts[script].removeAll { step in
          if case .cancelScope = step { true } else { false }
        }
      }
      candidates.append(smaller)
    }
    return candidates
  }

  private func leavingOut(_ id: Int) -> Program {
    var smaller = program
    smaller.operations.removeAll { $0.id == id }
    for index in smaller.operations.indices {
      smaller.operations[index].dependencies.removeAll { $0.on == id }
      if smaller.operations[index].waitsFor == id { smaller.operations[index].waitsFor = nil }
    }
    for script in smaller.scripts.indices {
      smaller.scripts[script] = smaller.scripts[script].compactMap { $0.leavingOut(id) }
    }
    return smaller
  }

  private func simpler(_ index: Int) -> [Program] {
    var candidates: [Program] = []
    let plan = program.operations[index]
    func change(_ body: (inout Program.OperationPlan) -> Void) {
      var smaller = program
      body(&smaller.operations[index])
      candidates.append(smaller)
    }
    for dependency in plan.dependencies.indices { change { $0.dependencies.remove(at: dependency) } }
    if plan.yields > 0 { change { $0.yields = 0 } }
    if plan.body != .main { change { $0.body = .main } }
    if plan.priority != .normal { change { $0.priority = .normal } }
    if plan.waitsFor != nil { change { $0.waitsFor = nil } }
    if plan.wait != .finish { change { $0.wait = .finish } }
    if plan.barrierCall != nil { change { $0.barrierCall = nil } }
    for limit in plan.limits.indices {
      change { $0.limits.remove(at: limit) }
      if plan.limits[limit].cost > 1 { change { $0.limits[limit].cost = 1 } }
    }
    if let time = plan.time {
      change { $0.time = nil }
      if time.isDeaf { change { $0.time?.isDeaf = false } }
      if time.timeout != nil { change { $0.time?.timeout = nil } }
      if time.attempts > 1 { change { $0.time?.attempts = 1 } }
      if time.growth != .constant { change { $0.time?.growth = .constant } }
      if time.waitTimeout != nil { change { $0.time?.waitTimeout = nil } }
    }
    return candidates
  }
}
