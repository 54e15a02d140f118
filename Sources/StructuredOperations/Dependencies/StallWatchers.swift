/// Queues for which a stall analysis has found nothing, to be told of new edges that may matter to them.
///
/// They are found by the operation at which an edge begins, so that those to which it does not matter cost nothing.
struct StallWatchers: Sendable {
  struct Watcher: Sendable {
    weak var queue: (any OwningQueue)?
    let id: ObjectIdentifier
    /// The order in which watchers are told: a dictionary's would differ from run to run.
    let number: Int
    let needs: StallAnalysis.Needs
    /// Whether the queue is quiescent for the wait for the end of its scope alone.
    let stallsByScopeAlone: Bool
    /// The run of a reproducible executor that has looked, if any.
    let run: Int?
  }

  private var watchers: [ObjectIdentifier: Watcher] = [:]
  private var lastNumber = 0
  /// The queues that need an operation.
  private var queuesByNeed: [ObjectIdentifier: Set<ObjectIdentifier>] = [:]
  /// The queues that may need any operation.
  private var openEndedQueues: Set<ObjectIdentifier> = []

  var isEmpty: Bool { watchers.isEmpty }

  func contains(_ queue: ObjectIdentifier) -> Bool { watchers[queue] != nil }

  /// Replaces what the queue watched before.
  ///
  /// O(needs).
  ///
  /// - Parameter run: That of a reproducible executor to which the calling task belongs, if any.
  mutating func insert(
    _ queue: any OwningQueue,
    needs: StallAnalysis.Needs,
    stallsByScopeAlone: Bool,
    run: Int? = nil
  ) {
    let id = ObjectIdentifier(queue)
    remove(id)
    lastNumber += 1
    watchers[id] = Watcher(
      queue: queue, id: id, number: lastNumber, needs: needs, stallsByScopeAlone: stallsByScopeAlone, run: run)
    for need in needs.ids { queuesByNeed[need, default: []].insert(id) }
    if needs.isOpenEnded { openEndedQueues.insert(id) }
  }

  mutating func remove(_ queue: ObjectIdentifier) {
    guard let watcher = watchers.removeValue(forKey: queue) else { return }
    for need in watcher.needs.ids {
      queuesByNeed[need]?.remove(queue)
      if queuesByNeed[need]?.isEmpty == true { queuesByNeed[need] = nil }
    }
    openEndedQueues.remove(queue)
  }

  /// Those to which an edge from an operation may matter, in the order in which they came.
  ///
  /// Of those that may need any operation, one that belongs to a run of a reproducible executor is concerned by the edges of that run's
  /// tasks alone. Otherwise what other tests do in the same process, at any time, would have its queue take turns, and no run would
  /// repeat. What it misses so, where an operation of the same test has an executor of its own, ends as the stall of the run.
  ///
  /// - Parameters:
  ///   - isForScope: Whether the edge is the wait of a body for the end of a scope, which tells no queue that stalls by its own scope
  ///     alone.
  ///   - queue: One that is left out.
  ///   - isOfOtherRun: Whether a run goes on to which the calling task does not belong.
  func concerned(
    by storage: OperationStorage,
    isForScope: Bool = false,
    except queue: ObjectIdentifier? = nil,
    isOfOtherRun: (Int) -> Bool = { _ in false }
  ) -> [Watcher] {
    var ids = openEndedQueues.filter { id in watchers[id]?.run.map(isOfOtherRun) != true }
    if let queues = queuesByNeed[ObjectIdentifier(storage)] { ids.formUnion(queues) }
    return ids.compactMap { id in
      guard id != queue, let watcher = watchers[id], !(isForScope && watcher.stallsByScopeAlone) else { return nil }
      return watcher
    }
    .sorted { $0.number < $1.number }
  }
}
