/// Barriers that bodies have added and wait for, each with what has to finish before it.
///
/// What a barrier waits for is known to its queue alone. But two bodies that wait for barriers in each other's queues would
/// wait for ever, and neither queue could tell. So while a body waits for its barrier, the graph knows what is ahead of it.
struct BarrierCalls: Sendable {
  private struct Call: Sendable {
    let barrier: OperationStorage
    /// What has to finish before it, in the order of addition.
    var ahead: [OperationStorage]
    /// The same.
    var members: Set<OperationStorage>
  }

  /// In the order of addition, so that searches take the same way each time.
  ///
  /// Few, since each is that of a body that waits.
  private var calls: [Call] = []

  var isEmpty: Bool { calls.isEmpty }

  /// What has to finish before a barrier begins; some may have finished.
  ///
  /// Also where the barrier is cancelled: a search counts these edges, while operations are cancelled without the graph's
  /// lock.
  func ahead(of barrier: OperationStorage) -> [OperationStorage] {
    calls.first { $0.barrier === barrier }?.ahead ?? []
  }

  /// The barriers that an operation is ahead of, cancelled ones included.
  func barriers(behind storage: OperationStorage) -> [OperationStorage] {
    calls.compactMap { $0.members.contains(storage) ? $0.barrier : nil }
  }

  /// What a barrier waits for: nothing where it is to be skipped, though it keeps its place.
  func awaited(by barrier: OperationStorage) -> [OperationStorage] {
    calls.isEmpty || !barrier.isStillToBegin ? [] : ahead(of: barrier)
  }

  /// The barriers that wait for an operation.
  func waiting(for storage: OperationStorage) -> [OperationStorage] {
    barriers(behind: storage).filter(\.isStillToBegin)
  }

  mutating func insert(_ barrier: OperationStorage, after ahead: [OperationStorage]) {
    calls.append(Call(barrier: barrier, ahead: ahead, members: Set(ahead)))
  }

  /// Some operations have fallen behind a barrier of their queue, and so behind some of the called ones.
  ///
  /// - Parameter isBehind: Whether a barrier still waits for one of them.
  /// - Returns: What the calls held, to be freed once the graph's lock is released.
  mutating func fell(
    _ storages: [OperationStorage],
    isBehind: (_ barrier: OperationStorage, OperationStorage) -> Bool
  ) -> [OperationStorage] {
    var removed: [OperationStorage] = []
    for index in calls.indices {
      let passed = storages.filter { calls[index].members.contains($0) && !isBehind(calls[index].barrier, $0) }
      if passed.isEmpty { continue }
      calls[index].members.subtract(passed)
      calls[index].ahead.removeAll(where: passed.contains)
      removed += passed
    }
    return removed
  }

  /// - Returns: What the call held, to be freed once the graph's lock is released.
  mutating func remove(_ barrier: OperationStorage) -> [OperationStorage] {
    guard let index = calls.firstIndex(where: { $0.barrier === barrier }) else { return [] }
    return calls.remove(at: index).ahead
  }
}
