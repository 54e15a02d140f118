extension OperationProtocol {
  /// Adds a limit: the operation begins only when the limit has room for its cost.
  ///
  /// All limits of the operation and its queue's slot are taken in one step: see ``ConcurrencyLimit``. A limit that is added
  /// twice is one limit, with the higher cost. An operation that gets its first limit while it is in a queue has its place in the lines
  /// from then on, as if it had been added then. Started by hand the operation takes its limits, too, and suspends for them. Does
  /// not suspend.
  ///
  /// - Parameters:
  ///   - limit: The limit.
  ///   - cost: How much of the limit the operation needs: at least 1, which is a programming error below.
  /// - Returns: Whether the limit counts; false where the operation has been chosen to run, or has finished.
  /// - Throws: ``OperationError/costExceedsLimit(cost:limit:)`` where the cost is above the limit's count; the operation is
  ///   left as it was.
  @discardableResult
  public nonisolated(nonsending) func addLimit(_ limit: ConcurrencyLimit, cost: Int = 1) async throws -> Bool {
    try storage.addLimit(limit, cost: cost)
  }

  /// Adds a limit from synchronous code.
  ///
  /// Everything else is as in the asynchronous form.
  ///
  /// - Parameters:
  ///   - limit: The limit.
  ///   - cost: How much of it the operation takes: 1 or more.
  @discardableResult
  public nonisolated func addLimit(_ limit: ConcurrencyLimit, cost: Int = 1) throws -> Bool {
    try storage.addLimit(limit, cost: cost)
  }
}

extension OperationStorage {
  fileprivate func addLimit(_ limit: ConcurrencyLimit, cost: Int) throws -> Bool {
    // Not a precondition, whose message a release build would not print.
    if cost < 1 { fatalError("\(cost) is no cost of an operation: expected a number from 1 on.") }
    guard read({ $0.isUnclaimed }) else { return false }
    if cost > limit.count { throw OperationError.costExceedsLimit(cost: cost, limit: limit) }
    switch addLimit(LimitNeed(limit: limit, cost: cost)) {
    case .tooLate: return false
    case .added(let queue):
      queue?.operationChanged(self, .limits)
      return true
    }
  }
}
