import StructuredOperations

/// Says what waits in a run, and for what.
struct ExplanationText: CustomStringConvertible {
  /// The most operations that are explained.
  private static let limit = 20

  private let runningCount: Int
  private let pausingCount: Int
  private let waitingCount: Int
  /// Of the first that wait.
  private let reasons: [String]

  /// - Parameter isPausing: Whether an operation is in a pause between two attempts.
  init(_ explanation: some Collection<OperationExplanation>, isPausing: (_ id: String) -> Bool = { _ in false }) {
    let waiting = explanation.filter { !$0.isRunning }
    // The body of one that pauses executes as well.
    pausingCount = explanation.count { $0.isRunning && isPausing($0.operation.name ?? "?") }
    runningCount = explanation.count - waiting.count - pausingCount
    waitingCount = waiting.count
    reasons = waiting.prefix(Self.limit).map(\.description)
  }

  /// The counts, then a line for each of the first that wait.
  var description: String {
    let counts =
      "\(runningCount) \(runningCount == 1 ? "operation is" : "operations are") running, "
      + (pausingCount > 0 ? "\(pausingCount) \(pausingCount == 1 ? "pauses" : "pause") between attempts, " : "")
      + "\(waitingCount) \(waitingCount == 1 ? "waits" : "wait")"
    let rest = waitingCount - reasons.count
    let lines = reasons.map { "  \($0)" } + (rest > 0 ? ["  … and \(rest) more"] : [])
    return counts + (lines.isEmpty ? "" : ":\n" + lines.joined(separator: "\n"))
  }
}

extension OperationExplanation {
  fileprivate var isRunning: Bool {
    reasons.contains { if case .executing = $0 { true } else { false } }
  }
}
