import TestSupport

@testable import StructuredOperations

extension AsyncOperationQueue {
  /// How many bodies of the queue have released their slots, or wait to get them back.
  var waitingCount: Int { state.scheduler.waitingCount }

  /// Whether nothing that holds a slot can bring the queue on, and it has looked for what else can.
  var isQuiescent: Bool { state.scheduler.isQuiescent && !state.trigger.isQuiescenceDue }

  /// Suspends until a number of bodies wait, nothing else runs, and the queue has looked for what brings it on.
  ///
  /// - Returns: Whether it came to that.
  func becomesQuiescent(waiting count: Int = 0) async -> Bool {
    await eventually {
      process()
      return isQuiescent && waitingCount == count
    }
  }

  /// Suspends until a number of bodies have released their slots.
  ///
  /// - Returns: Whether it came to that.
  func hasWaitingBodies(_ count: Int) async -> Bool { await eventually { waitingCount == count } }
}
