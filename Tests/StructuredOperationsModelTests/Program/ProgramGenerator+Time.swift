import StructuredOperationsTesting

// Start rates, timed suspensions, and what bodies do on the clock.
extension ProgramGenerator {
  /// A length of time in milliseconds; few different ones, so that much happens at the same moment.
  private mutating func length() -> Int { [0, 5, 10, 10, 15, 20, 30].randomElement(using: &random) ?? 10 }

  mutating func rate() -> Program.Rate? {
    if random.oneIn(2) { return nil }
    let length = [10, 15, 20, 30].randomElement(using: &random) ?? 10
    return Program.Rate(count: Int.random(in: 1...3, using: &random), milliseconds: length)
  }

  mutating func timePlan(waits: Bool) -> Program.TimePlan? {
    if random.oneIn(3) { return nil }
    var plan = Program.TimePlan(sleep: length(), isDeaf: random.oneIn(4))
    if random.oneIn(2) { plan.timeout = length() }
    if random.oneIn(2) {
      plan.attempts = Int.random(in: 1...4, using: &random)
      plan.failures = Int.random(in: 0...plan.attempts, using: &random)
      plan.pause = length()
      plan.growth = Program.Growth.allCases.randomElement(using: &random) ?? .constant
    }
    if waits, random.oneIn(2) { plan.waitTimeout = length() }
    return plan
  }

  /// A step that lets time pass, or sets what a queue of the script does by time.
  mutating func timeStep(ofQueue own: Int?) -> Program.Step {
    guard let own else { return .sleep(length()) }
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1: return .suspendFor(length(), queue: own)
    case 2: return .startRate(rate(), queue: own)
    default: return .sleep(length())
    }
  }
}
