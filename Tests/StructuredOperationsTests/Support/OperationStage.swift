/// How far an operation is when something happens to it.
enum OperationStage: CaseIterable, Sendable {
  case idle, pending, ready, executing
}
