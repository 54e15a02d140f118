/// Follows what waits for operations: dependents, bodies, and what barriers and waits for everything in a queue add to that.
///
/// The caller holds the graph's lock.
struct WaiterSearch {
  typealias Walk = StallAnalysis.Walk

  /// What is left in a queue in which nothing more can begin, and the bodies that wait for it.
  struct Remainder: Sendable {
    let waiters: [OperationStorage]
    /// What has to finish before anything behind the first barrier may begin.
    let ahead: [OperationStorage]
    /// What passes that barrier.
    let passing: [OperationStorage]
    /// The first barrier and what is behind it.
    let heldBack: [OperationStorage]
    let isHeldBack: @Sendable (OperationStorage) -> Bool
  }

  let wholeQueueWaits: WholeQueueWaits
  let barrierCalls: BarrierCalls
  let barrierHolds: BarrierHolds
  /// A queue the wait for the end of whose scope does not count.
  var exceptedScope: ObjectIdentifier?

  /// What waits for some operations, through any number of steps.
  ///
  /// - Parameters:
  ///   - isPlain: Whether waits for everything in a queue do not count; those for the ends of scopes do.
  ///   - remainder: A queue that has left nothing here, and what its barrier holds up.
  func waiting(
    for storages: [OperationStorage],
    isPlain: Bool = false,
    in remainder: Remainder? = nil,
    _ releases: inout DeferredReleases
  ) -> Walk {
    let ahead = Set(remainder?.ahead ?? [])
    var heldBack = remainder?.heldBack ?? []
    var followed: Set<ObjectIdentifier> = []
    var bodies: [ObjectIdentifier: [WaitingBody]] = [:]
    return Walk(from: storages) { storage in
      var next = step(from: storage, &followed, &releases)
      if !isPlain { next += self.bodies(waitingForAllWith: storage, &bodies, &releases) }
      return ahead.contains(storage) ? next + heldBack.removeEach() : next
    }
  }

  private func step(
    from storage: OperationStorage,
    _ followed: inout Set<ObjectIdentifier>,
    _ releases: inout DeferredReleases
  ) -> [OperationStorage] {
    storage.waiting(&releases) + bodies(waitingForScopeOf: storage) + barrierCalls.waiting(for: storage)
      + barrierHolds.waiting(for: storage, &followed)
  }

  private func bodies(waitingForScopeOf storage: OperationStorage) -> [OperationStorage] {
    guard !wholeQueueWaits.isEmpty, let queue = storage.queueID, queue != exceptedScope else { return [] }
    return wholeQueueWaits[queue].compactMap { $0.isForScope && !$0.isOver ? $0.operation.storage : nil }
  }

  /// The bodies that wait for an operation since they wait for everything in its queue.
  ///
  /// They do not wait for what waits for them. That can be told once the queue has left what its barrier holds up; before, it has
  /// something to do. Example: body W waits for everything in its queue, where E runs, and D is behind the barrier after W. W waits
  /// for E, and not for D.
  ///
  /// - Parameter left: For each queue that was reached, the waiting bodies that were not returned yet.
  private func bodies(
    waitingForAllWith storage: OperationStorage,
    _ left: inout [ObjectIdentifier: [WaitingBody]],
    _ releases: inout DeferredReleases
  ) -> [OperationStorage] {
    guard !wholeQueueWaits.isEmpty, let queue = storage.queueID, barrierHolds.isKnown(of: queue) else { return [] }
    let bodies =
      left[queue]
      ?? wholeQueueWaits[queue].filter { !$0.isOver && !$0.isForScope }.map { wait in
        let body = wait.operation.storage
        return WaitingBody(storage: body, waiters: waiting(for: [body], isPlain: true, &releases))
      }
    left[queue] = bodies.filter { $0.waiters.contains(storage) }
    return bodies.filter { !$0.waiters.contains(storage) }.map(\.storage)
  }

  /// One that waits for everything in a queue.
  private struct WaitingBody {
    let storage: OperationStorage
    /// What waits for it, and what its body does not wait for.
    let waiters: Walk
  }

  /// What waits for the waiters of a queue, if everything that is left there does.
  ///
  /// - Parameter isPlain: Whether waits for everything in a queue do not count.
  /// - Throws: Where a wait that matters has ended since it was followed.
  func onlyWaiters(
    in remainder: Remainder,
    isPlain: Bool = false,
    _ releases: inout DeferredReleases
  ) throws(BrokenPath) -> Walk? {
    let left = remainder.ahead + remainder.passing
    // Most often something is left that waits for no operation: then nothing has to be searched.
    if remainder.waiters.isEmpty || !left.allSatisfy(\.waitsForOperations) { return nil }
    // What is behind the barrier is no start: those ahead may wait for it alone, and for none of the waiters.
    let waiting = waiting(for: remainder.waiters, isPlain: isPlain, in: remainder, &releases)
    guard left.allSatisfy(waiting.contains) else { return nil }
    // Example: X, ahead of the barrier, awaits W, whose body awaits one of the waiters. W's wait is cancelled: X is not left for
    // ever.
    guard waiting.nodes.allSatisfy({ remainder.isHeldBack($0) || $0.isWaiting || barrierHolds.isHeld($0) }) else {
      throw BrokenPath()
    }
    return waiting
  }

  /// The queues in which only that is left which waits for bodies that wait for everything there.
  ///
  /// - Parameter queue: One that is not looked at.
  func queuesWithOnlyWaitersLeft(
    otherThan queue: any OwningQueue,
    _ releases: inout DeferredReleases
  ) -> [any OwningQueue] {
    wholeQueueWaits.queues.filter { other in
      guard other !== queue, let remainder = barrierHolds.remainder(of: ObjectIdentifier(other)) else { return false }
      // Where a wait has just ended there is something to do, and another analysis follows.
      return (try? onlyWaiters(in: remainder, &releases)) != nil
    }
  }
}
