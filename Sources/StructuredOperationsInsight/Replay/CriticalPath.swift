/// The way back from the body that ended last in a replay with slots for everything.
struct CriticalPath {
  /// The first one first, each once.
  private(set) var operations: [Int] = []

  /// O(number of operations and pieces).
  init(_ plan: ReplayPlan, _ replay: Replay) {
    guard var operation = replay.last else { return }
    var piece = Self.lastPiece(plan, operation)
    var way = [operation]
    while true {
      if piece > 0 {
        piece -= 1
        guard let awaited = replay.endOfWait(of: operation, after: piece) else { continue }
        operation = awaited
        piece = Self.lastPiece(plan, operation)
      } else if let cause = replay.cause(of: operation) {
        operation = cause
        piece = Self.lastPiece(plan, operation)
      } else if case .body(let parent, let place)? = plan.items[operation]?.release {
        operation = parent
        piece = place
      } else {
        break
      }
      way.append(operation)
    }
    var seen: Set<Int> = []
    operations = way.reversed().filter { seen.insert($0).inserted }
  }

  private static func lastPiece(_ plan: ReplayPlan, _ operation: Int) -> Int {
    max(0, (plan.items[operation]?.pieces.count ?? 0) - 1)
  }
}
