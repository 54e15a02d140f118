extension DependencyGraph {
  /// Removes a dependency, and ends waits that can never end without it.
  ///
  /// Example: X is to be skipped, since its required dependency F has failed, so it waits for its dependency U no more, and
  /// the body of U may await X. Once F is removed, X waits for U again, and U for X: the wait of U's body ends.
  static func remove(_ dependency: any OperationProtocol, from operation: any OperationProtocol) {
    let storage = operation.storage
    let (queue, watchers, waits) = withLock { state, releases -> ((any OwningQueue)?, [Watcher], [BodyWait]) in
      let (queue, isBlockedAgain) = storage.removeDependency(dependency.storage, &releases)
      guard isBlockedAgain else { return (queue, [], []) }
      return (queue, state.takeWatchers(of: storage), state.endWaits(leadingTo: operation, &releases))
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
          if let (wait, loop) = Self.lastWait(in: path, leadingTo: operation, &releases) {
            if wait.end(.deadlock(loop)) { waits.append(wait) }
          } else if path.allSatisfy(\.storage.isStillToBegin) {
            // No wait is on it. Example: X is ahead of the barrier that a body calls, and depends on it. It falls behind the barrier,
            // so this is no loop; but the same search would find it again.
            break
          }
          // Otherwise a wait has ended meanwhile, as by a cancellation, without the graph's lock. The next path does not lead
          // through it.
        }
      }
    }
    return waits
  }

  /// - Returns: The last wait on a path, and the operations along the loop, that whose body waits first; nil where one has
  ///   ended since the path was found.
  static func lastWait(
    in path: [any OperationProtocol],
    leadingTo operation: any OperationProtocol,
    _ releases: inout DeferredReleases
  ) -> (BodyWait, BodyWait.Loop)? {
    for index in path.indices.reversed() {
      let storage = path[index].storage
      guard let wait = releases.keep(storage.read { $0.wait }) else {
        // A wait that has just ended was a step of the path, so there is no loop any more.
        if storage.isStillToBegin { continue }
        return nil
      }
      return (wait, path[index...] + [operation] + path[..<index])
    }
    return nil
  }
}
