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

  /// Whether the queue has heard of the priority of an operation, unless it has chosen it.
  fileprivate func knowsPriority(of storage: OperationStorage) -> Bool {
    process()
    guard let id = storage.entryAndReadiness(in: self)?.entry, let entry = state.scheduler.entries[id],
      !entry.phase.isChosen
    else { return true }
    return entry.priority >= storage.read { $0.rankedPriority }
  }
}

extension OperationStorage {
  /// Whether a task that waits for the operation has raised it, and its queue has heard of that.
  var isRaised: Bool {
    get async {
      let (isRaised, queue) = read { machine -> (Bool, AsyncOperationQueue?) in
        guard case .enqueued(_, let assignment) = machine.state else { return (machine.escalatedPriority > 0, nil) }
        return (machine.escalatedPriority > 0, assignment.queue as? AsyncOperationQueue)
      }
      guard isRaised, let queue else { return isRaised }
      return await queue.knowsPriority(of: self)
    }
  }
}
