extension Program {
  /// How much of a concurrency limit an operation needs.
  struct LimitCost: Equatable, Sendable {
    var limit: Int
    var cost: Int
  }
}
