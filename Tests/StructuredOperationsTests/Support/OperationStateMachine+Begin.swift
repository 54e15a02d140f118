@testable import StructuredOperations

extension OperationStateMachine {
  /// A task begins to run the operation, with the limits of the program.
  mutating func begin(in task: BodyTask?, isPrefetched: Bool = false) -> BeginAction {
    begin(in: task, isPrefetched: isPrefetched, takeLimits: LimitTable.takeUncontestedOrStand)
  }
}
