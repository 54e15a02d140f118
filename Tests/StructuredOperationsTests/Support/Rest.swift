@testable import StructuredOperations

extension AsyncOperationQueue {
  /// How many bodies of the queue have lent their slots, or wait to get them back.
  var lendingCount: Int { state.scheduler.lendingCount }

  /// Whether nothing that holds a slot can bring the queue on, and it has looked for what else can.
  var isAtRest: Bool { state.scheduler.isAtRest && !state.review.isRestDue }

  /// Suspends until a number of bodies wait, nothing else runs, and the queue has looked for what brings it on.
  ///
  /// - Returns: Whether it came to that.
  func comesToRest(lending count: Int = 0) async -> Bool {
    await eventually {
      takeTurn()
      return isAtRest && lendingCount == count
    }
  }

  /// Suspends until a number of bodies have lent their slots.
  ///
  /// - Returns: Whether it came to that.
  func lends(_ count: Int) async -> Bool { await eventually { lendingCount == count } }
}
