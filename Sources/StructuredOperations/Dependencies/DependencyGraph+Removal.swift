extension DependencyGraph {
  /// Removes a dependency, and ends waits that can never end without it.
  ///
  /// Example: X is to be skipped, since its required dependency F has failed, so it waits for its dependency U no more, and
  /// the body of U may await X. Once F is removed, X waits for U again, and U for X: the wait of U's body ends.
  static func remove(_ dependency: any OperationProtocol, from operation: any OperationProtocol) {
    let storage = operation.storage
    // From now on the dependency may be freed before the body reads its output.
    dependency.storage.keepOutput()
    typealias Found = ((any OwningQueue)?, [StallWatchers.Watcher], [BodyWait])
    let (queue, watchers, waits) = withLock { state, releases -> Found in
      let (queue, isBlockedAgain) = storage.removeDependency(dependency.storage, &releases)
      guard isBlockedAgain else { return (queue, [], []) }
      return (queue, state.takeWatchers(of: storage, &releases), state.endWaits(leadingTo: operation, &releases))
    }
    tell(watchers)
    queue?.operationChanged(storage, .readiness)
    for wait in waits { wait.resumeFromDeadlock() }
  }
}

extension DependencyGraph.State {
  /// Ends each wait of a body that an operation waits for and that waits for this operation.
  ///
  /// - Returns: The waits, whose bodies have to be resumed.
  fileprivate func endWaits(
    leadingTo operation: any OperationProtocol,
    _ releases: inout DeferredReleases
  ) -> [BodyWait] {
    // A wait for everything in a queue is not for what waits for it in turn.
    var searches = [GraphSearch(for: .wait, wholeQueueWaits: WholeQueueWaits())]
    if !barrierCalls.isEmpty {
      searches.insert(GraphSearch(for: .wait, wholeQueueWaits: WholeQueueWaits(), barrierCalls: barrierCalls), at: 0)
    }
    var waits: [BodyWait] = []
    for dependency in releases.keep(operation.storage.read(\.dependencies)) where dependency.status == .unfinished {
      for search in searches {
        while let path = releases.keep(search.path(from: dependency.operation, to: operation.storage, &releases)) {
          do throws(BrokenPath) {
            // Where no wait is on it the same search would find it again. Example: X is ahead of the barrier that a body calls, and
            // depends on it. It falls behind the barrier, so this is no loop.
            guard let (wait, loop) = try Self.lastWait(in: path, leadingTo: operation, &releases) else { break }
            if wait.end(.deadlock(loop)) { waits.append(wait) }
          } catch {
            // It is no loop any more.
            continue
          }
        }
      }
    }
    return waits
  }

  /// - Returns: The last wait on a path, and the operations along the loop, that whose body waits first; nil if there is none.
  static func lastWait(
    in path: [any OperationProtocol],
    leadingTo operation: any OperationProtocol,
    _ releases: inout DeferredReleases
  ) throws(BrokenPath) -> (BodyWait, BodyWait.Loop)? {
    guard let (index, wait) = try path.map(\.storage).lastWait(&releases) else { return nil }
    return (wait, path[index...] + [operation] + path[..<index])
  }
}
