import StructuredOperations
import StructuredOperationsTesting

// Concurrency limits of operations, calls of `run` and barriers.
extension ProgramGenerator {
  /// The count of a limit.
  mutating func count() -> Int { [0, 1, 1, 1, 2, 2, 3].randomElement(using: &random) ?? 1 }

  /// What an operation needs; some of it is refused, because it is above the count.
  mutating func limitCosts() -> [Program.LimitCost] {
    if !features.usesLimits || random.oneIn(3) { return [] }
    return (0..<Int.random(in: 1...3, using: &random)).map { _ in limitCost() }
  }

  private mutating func limitCost() -> Program.LimitCost {
    let limit = Int.random(in: 0..<limitCount, using: &random)
    return Program.LimitCost(limit: limit, cost: [1, 1, 1, 2, 3].randomElement(using: &random) ?? 1)
  }

  /// The limits of a call of `run` or a barrier.
  mutating func limitsOfCall() -> [Int] {
    if !features.usesLimits || random.oneIn(2) { return [] }
    return (0..<limitCount).filter { _ in random.oneIn(2) }
  }

  /// A step that changes a limit of the script, adds one to an operation, or changes who gets limits next.
  ///
  /// Only one script changes a limit, so that the last count is known.
  mutating func limitStep(ofScript script: Int, _ operation: Int, own ownOperation: Int?) -> Program.Step {
    let own = (0..<limitCount).filter { $0 % scriptCount == script }.randomElement(using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1: return .addLimit(operation, limitCost())
    case 2: return ownOperation.map { .priority($0, random.oneIn(2) ? .veryHigh : .veryLow) } ?? .settle
    case 3: return .release(operation)
    case 4: return .settle
    default: return own.map { .setCount(count(), limit: $0) } ?? .pause(1)
    }
  }
}
