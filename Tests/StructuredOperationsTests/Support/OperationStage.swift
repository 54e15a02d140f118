/// The stage of an operation's life at which a test acts on it.
enum OperationStage: CaseIterable, Sendable {
  case idle, pending, ready, executing
}
